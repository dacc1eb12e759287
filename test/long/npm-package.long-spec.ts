import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { killTree, until } from '../support/processes.js';
import { aFreePort } from '../support/service-process.js';

const run = promisify(execFile);
/** Installing takes a minute, and longer on a busy machine. */
const INSTALL_MS = 600_000;

/** The goal for an installation, by the bytes of its files. */
const MOST_MEGABYTES = 200;

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'satchel-package-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Runs npm in the folder. The global setup has built the service, so the package needs no scripts. */
const npm = (...words: string[]): Promise<{ stdout: string }> =>
  run('npm', [...words, '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });

const megabytesOf = (path: string): number =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)).size)
    .reduce((total, bytes) => total + bytes, 0) / 1_000_000;

describe('the npm package', () => {
  it(
    'is installed into an empty folder, and its program starts the service without arguments',
    async () => {
      await npm('pack', process.cwd());
      const [archive = ''] = readdirSync(folder);
      writeFileSync(join(folder, 'package.json'), '{}');
      await npm('install', '--omit=dev', '--prefer-offline', `./${archive}`);
      expect(megabytesOf(join(folder, 'node_modules'))).toBeLessThanOrEqual(MOST_MEGABYTES);

      const variables = { DATA_DIR: join(folder, 'data'), PORT: await aFreePort() };
      const service = spawn(join(folder, 'node_modules', '.bin', 'satchel'), [], {
        cwd: folder,
        env: { PATH: process.env.PATH, ...variables },
      });
      let printed = '';
      service.stdout.on('data', (text: Buffer) => (printed += text.toString()));
      await until(
        () => printed.includes('Satchel listens') || service.exitCode !== null,
        'the start',
      );
      const ready = await fetch(`http://127.0.0.1:${variables.PORT}/ready`);
      service.kill('SIGTERM');
      const [code] = (await once(service, 'exit')) as [number | null];
      if (code === null) {
        await killTree(service.pid ?? 0);
      }

      expect(printed).toContain('Your first consumer key');
      expect(ready.status).toBe(200);
      expect(code).toBe(0);
    },
    INSTALL_MS,
  );
});
