// Builds and runs Karakeep's API from a checkout of its sources, with a new SQLite database and packages of npm. The
// checkout stays unchanged.
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { build } from 'esbuild';

import { ended } from '../service.mjs';
import { karakeepAt } from './karakeep.mjs';
import { packagesOf } from './karakeep-packages.mjs';

const SERVER = join(import.meta.dirname, 'karakeep-server.mjs');

/** Installs the packages, unless a former run has installed the same ones into this folder. */
function install(folder, dependencies) {
  const name = 'packages-of-karakeep';
  const manifest = JSON.stringify({ name, private: true, dependencies }, null, 2);
  const path = join(folder, 'package.json');
  const found = existsSync(path) ? readFileSync(path, 'utf8') : name;
  if (!found.includes(name)) throw new Error(`${folder} contains another program`);
  const complete = join(folder, 'node_modules/better-sqlite3/build/Release/better_sqlite3.node');
  if (found === manifest && existsSync(complete)) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, manifest);
  console.log(`installing the packages of Karakeep into ${folder}`);
  const options = ['--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', '--prefix', folder, ...options], { cwd: folder });
}

/** Bundles the server and Karakeep's sources into one file, which imports the installed packages. */
async function bundle(source, folder) {
  const outfile = join(folder, 'server.mjs');
  await build({
    entryPoints: [SERVER],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
    packages: 'external',
    alias: { '@karakeep': join(source, 'packages') },
  });
  return outfile;
}

async function started(program, source, data) {
  const child = fork(program, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DATA_DIR: data,
      NEXTAUTH_SECRET: 'secret of the benchmark',
      LOG_LEVEL: 'error',
      KARAKEEP_MIGRATIONS: join(source, 'packages/db/drizzle'),
    },
  });
  const end = once(child, 'exit').then(() => {
    throw new Error('Karakeep has not started');
  });
  const message = once(child, 'message', { signal: AbortSignal.timeout(60_000) });
  const [{ address, key }] = await Promise.race([message, end]);
  return { child, address, key };
}

/**
 * Starts Karakeep's API from the checkout, and runs the work with it. Removes everything afterwards, except the packages
 * if the caller names a folder for them.
 */
export async function withKarakeep(checkout, packages, work) {
  const source = resolve(checkout);
  const temporary = mkdtempSync(join(tmpdir(), 'karakeep-peer-'));
  const folder = packages === '' ? temporary : resolve(packages);
  const data = join(temporary, 'data');
  try {
    mkdirSync(data);
    install(folder, packagesOf(source));
    const { child, address, key } = await started(await bundle(source, folder), source, data);
    try {
      return await work(karakeepAt(address, key, String(child.pid)));
    } finally {
      await ended(child);
    }
  } finally {
    rmSync(temporary, { recursive: true });
  }
}
