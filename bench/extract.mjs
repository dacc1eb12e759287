// Runs extraction on ground truth, and on the same pages each library that it uses.
//   npm run --silent bench:extract -- --data DIR [--json] [--candidate NAME]... [--only SET] [--every N]
// DIR contains pages.jsonl and html/ (contents: docs/research/resolving.md). Candidates run one after another, each in its own
// process.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { report } from './extract/report.mjs';

const { values: given } = parseArgs({
  options: {
    data: { type: 'string' },
    json: { type: 'boolean', default: false },
    candidate: {
      type: 'string',
      multiple: true,
      default: ['satchel', 'readability', 'defuddle', 'whole text'],
    },
    only: { type: 'string', default: '' },
    every: { type: 'string', default: '1' },
    'per-page': { type: 'boolean', default: false },
  },
});
if (given.data === undefined) {
  console.error('Name the ground truth: npm run bench:extract -- --data DIR');
  process.exit(2);
}

const options = JSON.stringify({
  data: given.data,
  only: given.only,
  every: Number(given.every),
  perPage: given['per-page'],
});

const results = [];
for (const name of given.candidate) {
  console.error(`${name} …`);
  results.push(await measured(name));
}
console.log(given.json ? JSON.stringify(results) : report(results));

/** Measures a candidate in its own process. */
function measured(name) {
  const script = fileURLToPath(new URL('extract/measure-process.mjs', import.meta.url));
  return new Promise((resolve, reject) => {
    const child = fork(script, [name, options], { execArgv: ['--max-old-space-size=4096'] });
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)));
  });
}
