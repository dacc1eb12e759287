// Runs the benchmarks one after another and writes docs/research/performance/: report.json, README.md and the pictures.
// Benchmarks that do not run keep their figures. The short form runs a few and reports which ratios changed since the
// last report. It writes nothing and never fails.
//   npm run bench [--server URL --only endpoints,sizes --pages DIR --peers='OPTIONS of peers' --minutes 40]
//   npm run bench -- short [--server URL]
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import pg from 'pg';
import { format } from 'prettier';

import { BENCHMARKS } from './report/benchmarks.mjs';
import { moved, told } from './report/compare.mjs';
import { pageOf } from './report/page.mjs';
import { PLOTS } from './report/plots.mjs';

const { values: given } = parseArgs({
  options: {
    server: { type: 'string', default: 'postgres://postgres@127.0.0.1:5432/postgres' },
    short: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    pages: { type: 'string', default: '' },
    peers: { type: 'string', default: '' },
    minutes: { type: 'string', default: '' },
    out: { type: 'string', default: 'docs/research/performance' },
  },
});
const form = given.short ? 'short' : 'full';
const ends = performance.now() + Number(given.minutes || (given.short ? 2.9 : 60)) * 60_000;
const REPORT = join(given.out, 'report.json');
const STYLE = { singleQuote: true, trailingComma: 'all', printWidth: 100 };

const last = existsSync(REPORT) ? JSON.parse(readFileSync(REPORT, 'utf8')) : { benchmarks: {} };

/** Returns the output of a benchmark. On timeout, kills it with its child processes. */
function run(script, parameters) {
  const child = spawn(process.execPath, [join('bench', script), ...parameters], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const timer = setTimeout(() => process.kill(-child.pid), Math.max(0, ends - performance.now()));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  return new Promise((resolve, reject) =>
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve(output);
      else reject(new Error(signal === null ? `${script} ended with ${code}` : 'out of time'));
    }),
  );
}

const said = (parameters) => parameters.filter((one) => one !== '--json');

async function figuresOf(
  { script, needs, takes, passes, isPrinted, isOnEmbedded = false, ...forms },
  directory,
) {
  const asked = forms[form];
  const started = performance.now();
  const end = () => ({
    ...{ took: (performance.now() - started) / 1000, asked: said(asked) },
    date: new Date().toISOString().slice(0, 10),
  });
  if (isPrinted) {
    const output = await run(script, [...asked, '--data', given[needs]]);
    const load = Number(loadavg()[0].toFixed(1));
    return { load, ...isPrinted(JSON.parse(output)), ...end() };
  }
  const file = join(directory, `${script}.json`);
  const more = takes && given[takes] !== '' ? ['--data', given[takes]] : [];
  const server = isOnEmbedded ? [] : ['--server', given.server];
  const passed = passes ? given[passes].split(' ') : [];
  const parameters = [...asked, ...more, ...passed, ...server, '--json', file];
  const output = await run(script, parameters).catch((error) => {
    // Results written before the failure still count.
    if (!existsSync(file)) throw error;
    return error.message;
  });
  if (!given.short) console.log(output);
  return { ...JSON.parse(readFileSync(file, 'utf8')), ...end() };
}

function isAsked([name, benchmark]) {
  const isWanted = given.only === '' || given.only.split(',').includes(name);
  if (!isWanted || benchmark[form] === undefined) return false;
  const option = benchmark.needs ?? benchmark.passes;
  if (option === undefined || given[option] !== '') return true;
  console.log(`${name} is left out: it needs the option --${option}`);
  return false;
}

async function runAll() {
  const directory = mkdtempSync(join(tmpdir(), 'satchel-report-'));
  const found = {};
  for (const [name, benchmark] of Object.entries(BENCHMARKS).filter(isAsked)) {
    if (performance.now() > ends) {
      console.log(`${name} is left out: the time is over`);
      continue;
    }
    console.log(`== ${benchmark.title}`);
    try {
      found[name] = await figuresOf(benchmark, directory);
    } catch (error) {
      console.log(`${name} gave no figures: ${error.message}`);
    }
  }
  rmSync(directory, { recursive: true });
  return found;
}

async function machineOf() {
  const client = new pg.Client({ connectionString: given.server });
  await client.connect();
  const { rows } = await client.query('SHOW server_version');
  await client.end();
  return {
    cores: cpus().length,
    processor: cpus()[0].model.trim(),
    memory: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
    postgres: rows[0].server_version.split(' ')[0],
  };
}

async function write(report) {
  mkdirSync(given.out, { recursive: true });
  const json = await format(JSON.stringify(report), { ...STYLE, parser: 'json' });
  const page = await format(pageOf(report), { ...STYLE, parser: 'markdown' });
  writeFileSync(REPORT, json);
  writeFileSync(join(given.out, 'README.md'), page);
  for (const [name, plot] of Object.entries(PLOTS)) {
    if (name in report.benchmarks) {
      writeFileSync(join(given.out, `${name}.svg`), plot(report.benchmarks[name]));
    }
  }
}

const found = await runAll();
console.log(told(moved(found, last.benchmarks)).join('\n'));
if (!given.short && Object.keys(found).length > 0) {
  await write({ machine: await machineOf(), benchmarks: { ...last.benchmarks, ...found } });
  console.log(`The report is in ${given.out}`);
}
