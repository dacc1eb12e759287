// Builds dist/ if it is missing or older than a source file. Otherwise `npm start` and `npm run cli` start at once.
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const STAMP = join('dist', '.built');
const SOURCES = [
  'src',
  'scripts/bundle-assets.mjs',
  'scripts/copy-libraries.mjs',
  'ormconfig.ts',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'nest-cli.json',
];

const modified = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
const newest = (path) =>
  statSync(path).isDirectory()
    ? Math.max(modified(path), ...readdirSync(path).map((name) => newest(join(path, name))))
    : modified(path);

if (modified(STAMP) <= Math.max(...SOURCES.map(newest))) {
  rmSync(STAMP, { force: true });
  const build = spawnSync('npm', ['run', '--silent', 'build'], {
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (build.status !== 0) process.exit(build.status ?? 1);
  writeFileSync(STAMP, '');
}
