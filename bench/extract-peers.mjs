// Runs extraction on the test pages of other article extractors. Shows how similar each candidate is to the expected
// result.
//   npm run --silent bench -- extract-peers [--mozilla DIR] [--defuddle DIR] [--candidate NAME]... [--worst N]
// Source of the pages and details of the comparison: docs/research/resolving.md.
import { parseArgs } from 'node:util';

import { CANDIDATES } from './extract/candidates.mjs';
import { compared, SUITES } from './extract/peers.mjs';
import { mean } from './extract/scores.mjs';

const { values: given } = parseArgs({
  options: {
    mozilla: { type: 'string' },
    defuddle: { type: 'string' },
    json: { type: 'boolean', default: false },
    candidate: {
      type: 'string',
      multiple: true,
      default: ['satchel', 'readability', 'defuddle', 'whole text'],
    },
    worst: { type: 'string', default: '0' },
  },
});
const suites = Object.keys(SUITES).filter((name) => given[name] !== undefined);
if (suites.length === 0) {
  console.error('Name a suite: npm run bench -- extract-peers --mozilla DIR --defuddle DIR');
  process.exit(2);
}

const results = [];
for (const suite of suites) {
  const pages = SUITES[suite](given[suite]);
  for (const name of given.candidate) {
    console.error(`${suite}: ${name} …`);
    const scores = await compared(pages, await CANDIDATES[name]());
    results.push({ suite, candidate: name, scores });
  }
}
console.log(given.json ? JSON.stringify(results) : results.map(lines).join('\n'));

/** Formats the means of one candidate over one suite, and its worst pages if requested. */
function lines({ suite, candidate, scores }) {
  const of = (member) =>
    mean(scores.map((score) => score[member]).filter(Number.isFinite)).toFixed(3);
  const worst = scores.toSorted((a, b) => a.html - b.html).slice(0, Number(given.worst));
  return [
    `${suite} (${scores.length} pages), ${candidate}: HTML ${of('html')}, text ${of('text')}, title ${of('title')}, author ${of('author')}, excerpt ${of('excerpt')}`,
    ...worst.map(({ name, html, text }) => `  ${html.toFixed(3)} ${text.toFixed(3)} ${name}`),
  ].join('\n');
}
