// Measures the processor time of extraction and of the libraries on a machine with other work. Each candidate runs in
// its own process. They take turns after a few pages each, so that all have the same load.
//   node bench/extract-in-turn.mjs DIR [EVERY]
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { CANDIDATES } from './extract/candidates.mjs';
import { mean } from './extract/scores.mjs';
import { htmlOf, readTruth } from './extract/truth.mjs';

const AT_ONCE = 20;
const FIGURES = {
  mean,
  median: (times) => at(0.5, times),
  p95: (times) => at(0.95, times),
};
/** The first pages include compilation. */
const WARM_UP = 5;
const [data, every = '1', only] = process.argv.slice(2);
if (data === undefined) {
  console.error('Name the ground truth: node bench/extract-in-turn.mjs DIR');
  process.exit(2);
}
const pages = readTruth(data, { every: Number(every) });
await (only === undefined ? compare(['readability', 'satchel']) : serve(only));

async function compare(names) {
  const candidates = names.map((name) => ({ name, process: started(name), times: [] }));
  for (let from = 0, turn = 0; from < pages.length; from += AT_ONCE, turn += 1) {
    for (const place of candidates.keys()) {
      const one = candidates[(place + turn) % candidates.length];
      one.times.push(...(await answerOf(one.process, from)));
    }
  }
  const [reference] = candidates;
  for (const { name, process: child, times } of candidates) {
    const figures = Object.entries(FIGURES).map(([label, figure]) => {
      const [own, other] = [times, reference.times].map((all) => figure(all.slice(WARM_UP)));
      return `${label} ${own.toFixed(1)} ms (${(own / other).toFixed(2)})`;
    });
    console.log(`${name}: ${figures.join(', ')}`);
    child.kill();
  }
}

function started(name) {
  return fork(fileURLToPath(import.meta.url), [data, every, name]);
}

function answerOf(child, from) {
  const answer = new Promise((resolve) => child.once('message', resolve));
  child.send(from);
  return answer;
}

function at(share, times) {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? NaN;
}

async function serve(name) {
  const extract = await CANDIDATES[name]();
  process.on('message', async (from) => {
    const times = [];
    for (const page of pages.slice(from, from + AT_ONCE)) {
      times.push(await timeOf(extract, page));
    }
    process.send(times);
  });
}

async function timeOf(extract, page) {
  const html = htmlOf(page);
  const used = process.cpuUsage();
  try {
    await extract(html, page.url ?? 'http://unknown.example/');
  } catch {
    // The time of a failed extraction counts too.
  }
  const { user, system } = process.cpuUsage(used);
  return (user + system) / 1000;
}
