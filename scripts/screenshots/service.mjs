// Runs the built service on its own embedded database while the screenshots are taken.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { ALL_HERE } from './site.mjs';

const LISTENS = /^Satchel listens on (\S+)\n/m;

async function addressOf(child) {
  let said = '';
  for await (const text of child.stdout) {
    said += text;
    const [, address] = LISTENS.exec(said) ?? [];
    if (address !== undefined) {
      child.stdout.resume();
      return address;
    }
  }
  throw new Error(`The service has ended: ${said}`);
}

export async function serviceStarted(sitePort) {
  const directory = mkdtempSync(join(tmpdir(), 'satchel-pictures-'));
  // When root runs this script, PostgreSQL runs as another user, who needs access.
  chmodSync(directory, 0o711);
  const child = spawn(process.execPath, ['--import', ALL_HERE, resolve('dist/src/main.js')], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      ...{ PATH: process.env.PATH, HOME: directory, DATA_DIR: join(directory, 'data'), PORT: '0' },
      ...{ RESOLVER_ALLOW_ADDRESSES: '127.0.0.1', RESOLVER_ALLOW_PORTS: String(sitePort) },
    },
  });
  const end = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
    rmSync(directory, { recursive: true, force: true });
  };
  return { url: await addressOf(child), end };
}
