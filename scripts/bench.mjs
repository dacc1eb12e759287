// Builds the service if necessary and runs a benchmark by its name: npm run bench -- endpoints [its options]
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
/** Programs of each benchmark. Without a name, all benchmarks run and update docs/research/performance. */
const BENCHMARKS = {
  all: ['report.mjs'],
  short: ['report.mjs --short'],
  list: ['list-queries.mjs', 'text-queries.mjs'],
  ...Object.fromEntries(
    'capacity changing-list endpoints epub events extract extract-peers import import-parts layers load memory page-weight peers reader resolve sizes storage tag-moves wallabag workers'
      .split(' ')
      .map((name) => [name, [`${name}.mjs`]]),
  ),
};

const isOption = (word) => word === undefined || word.startsWith('-');
const words = process.argv.slice(2);
const [name, ...options] = isOption(words[0]) ? ['all', ...words] : words;
const programs = BENCHMARKS[name];
if (programs === undefined) {
  const names = Object.keys(BENCHMARKS).join(', ');
  process.stderr.write(`Usage: npm run bench -- [NAME] [options]\nNames: ${names}\n`);
  process.exit(2);
}
run([join('scripts', 'build-if-stale.mjs')]);
for (const program of programs) {
  const [file, ...given] = program.split(' ');
  run([join('bench', file), ...given, ...options]);
}

function run(args) {
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) {
    process.exit(status ?? 1);
  }
}
