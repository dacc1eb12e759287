// Estimates what a number of users needs, from one to a hundred million: bytes, shards, processes, connections and
// bandwidth. Also shows what is full first if nothing was added. Figures are from a benchmark report; assumptions are
// options. The µs per request are options too, because a report from a busy machine has them too high.
//   npm run bench -- capacity [--report FILE --us-poll 360 --items-per-user 500 --headroom 0.5 …]
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** Values that benchmarks cannot measure, and that differ between installations. */
const ASSUMED = {
  'items-per-user': [500, 'items in a list, in the mean'],
  active: [0.3, 'of the users use it on a day'],
  polls: [48, 'idle polls of an active user a day'],
  gets: [20, 'pages of a list, a day'],
  adds: [3, 'additions and changes, a day'],
  peak: [3, 'the busiest hour beside the mean of the day'],
  shared: [0.3, 'of the added pages are known already'],
  'web-share': [0.65, "of a request's processor time is the service's, the rest the database's"],
  'text-share': [0.91, 'bytes of search in articles for each byte of text'],
  'extract-ms': [50, 'processor time to fetch, extract and deliver a page'],
  'claim-ms': [4, 'that a claim of a page holds the lock of all claims, to the end of its commit'],
  'answer-kb': [4, 'of an answer in the mean, compressed'],
  headroom: [0.5, 'of processors and disks that are in use at the peak'],
  copies: [2, 'of each database server: itself and its standbys'],
  'shard-cores': [16, 'processors of a database server'],
  'shard-gb': [1000, 'disk of a database server'],
  'shard-commits': [5000, 'transactions a second that a database server writes to disk'],
  pool: [14, 'connections of a process: DATABASE_POOL_SIZE and four more'],
  'max-connections': [200, 'of a database server, before a pooler is needed'],
  'core-price': [10, 'of a processor a month'],
  'gb-price': [0.1, 'of a gigabyte of disk a month'],
  'transfer-price': [0.01, 'of a gigabyte of transfer'],
};
const STEPS = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];
const DAY = 86_400;
const MONTH = 30 * DAY;

const { values: given } = parseArgs({
  options: {
    report: { type: 'string', default: 'docs/research/performance/report.json' },
    json: { type: 'boolean', default: false },
    ...Object.fromEntries(
      ['us-poll', 'us-get', 'us-add'].map((name) => [name, { type: 'string', default: '' }]),
    ),
    ...Object.fromEntries(
      Object.entries(ASSUMED).map(([name, [value]]) => [
        name,
        { type: 'string', default: String(value) },
      ]),
    ),
  },
});
const assumed = (name) => Number(given[name]);

/** Reads microseconds per request and bytes on disk from a report. */
function measuredIn(file) {
  const { benchmarks } = JSON.parse(readFileSync(file, 'utf8'));
  if (!benchmarks.endpoints || !benchmarks.storage)
    throw new Error(
      `${file} lacks endpoints or storage: npm run bench -- --only endpoints,storage`,
    );
  const of = (call, request) =>
    Number(given[`us-${call}`]) ||
    benchmarks.endpoints.rows.find(({ name }) => name === request).used;
  const { item, user, page, text, transfer } = benchmarks.storage;
  return {
    us: { poll: of('poll', 'idle delta'), get: of('get', 'get complete'), add: of('add', 'add') },
    bytes: { item, user, page, text, transfer },
  };
}

function needsOf(users, { us, bytes }) {
  const perSecond = (calls) => (users * assumed('active') * calls * assumed('peak')) / DAY;
  const rate = { poll: perSecond(assumed('polls')), get: perSecond(assumed('gets')) };
  rate.add = perSecond(assumed('adds'));
  const busy = Object.entries(rate).reduce((sum, [call, each]) => sum + each * us[call], 0) / 1e6;
  const pages = rate.add * (1 - assumed('shared'));
  const items = users * assumed('items-per-user');
  const ofPage = bytes.page + bytes.text * assumed('text-share');
  const gigabytes =
    (users * bytes.user + items * (bytes.item + ofPage * (1 - assumed('shared')))) / 1e9;
  const requests = rate.poll + rate.get + rate.add;
  return {
    users,
    gigabytes,
    requests,
    web: (busy * assumed('web-share')) / assumed('headroom'),
    database: (busy * (1 - assumed('web-share'))) / assumed('headroom'),
    resolver: (pages * assumed('extract-ms')) / 1000 / assumed('headroom'),
    // Each fetched page is claimed and delivered to its items.
    commits: rate.add + 2 * pages,
    pages,
    inward: (pages * bytes.transfer * 8) / 1e6,
    outward: (requests * assumed('answer-kb') * 8) / 1e3,
  };
}

const least = (number) => Math.max(1, Math.ceil(number));

/** Computes the number of servers and processes. Each process has one core. */
function sizedFor(needs) {
  const reasons = {
    'disk of the database': needs.gigabytes / assumed('headroom') / assumed('shard-gb'),
    'processors of the database': needs.database / assumed('shard-cores'),
    'transactions written to disk': needs.commits / assumed('headroom') / assumed('shard-commits'),
  };
  const shards = least(Math.max(...Object.values(reasons)));
  const processes = least(needs.web) + least(needs.resolver);
  const connections = processes * assumed('pool');
  const full = {
    ...reasons,
    'the one process': needs.web,
    'the process that reads pages': needs.resolver,
    // All instances share the lock for claims, so more processes or shards do not help.
    'the lock of claims': (needs.pages * assumed('claim-ms')) / 1000 / assumed('headroom'),
    'connections without a pooler': connections / assumed('max-connections'),
  };
  return { shards, processes, connections, full };
}

function costsOf(needs, { shards }) {
  const days = (needs.inward + needs.outward) / 8 / 1000 / assumed('peak');
  const costs = {
    service: Math.max(1, needs.web) * assumed('core-price'),
    resolver: needs.resolver * assumed('core-price'),
    'database processors':
      Math.max(needs.database, shards) * assumed('copies') * assumed('core-price'),
    disk: (needs.gigabytes / assumed('headroom')) * assumed('copies') * assumed('gb-price'),
    transfer: days * MONTH * assumed('transfer-price'),
  };
  const sum = Object.values(costs).reduce((all, one) => all + one, 0);
  const [[name, most]] = Object.entries(costs).sort((a, b) => b[1] - a[1]);
  return {
    perThousand: (1000 * sum) / needs.users,
    driver: `${name} ${Math.round((100 * most) / sum)} %`,
  };
}

/** Returns the resource that exceeds one unit most, or the one closest to its limit. */
function first(full) {
  const [[name, share]] = Object.entries(full).sort((a, b) => b[1] - a[1]);
  return share > 1 ? `${name}, ${cell(share)} x` : `nothing; ${name} at ${cell(100 * share)} %`;
}

function cell(number) {
  if (typeof number === 'string') return number;
  if (number < 0.01) return '< 0.01';
  if (number >= 1e6) return `${Number((number / 1e6).toPrecision(3))} M`;
  return number >= 1000
    ? Math.round(number).toLocaleString('en')
    : String(Number(number.toPrecision(2)));
}

const COLUMNS = {
  ...{ users: 'users', gigabytes: 'GB', requests: 'requests/s', web: 'service cores' },
  ...{ database: 'database cores', shards: 'shards', processes: 'processes' },
  ...{ connections: 'connections', pages: 'pages/s', resolver: 'resolver cores' },
  ...{
    inward: 'in, Mbit/s',
    outward: 'out, Mbit/s',
    perThousand: 'cost of 1,000 users',
    driver: 'most of it',
  },
  full: 'full first with one of each',
};

function row(users, measured) {
  const needs = needsOf(users, measured);
  const { full, ...sized } = sizedFor(needs);
  return { ...needs, ...sized, ...costsOf(needs, sized), full: first(full) };
}

/** All needs grow linearly with the users. Computes the number of users at which one unit of each resource is full. */
function limits(measured) {
  const most = STEPS.at(-1);
  const { full } = sizedFor(needsOf(most, measured));
  return Object.entries(full)
    .map(([name, share]) => [Number((most / share).toPrecision(2)), name])
    .sort((a, b) => a[0] - b[0]);
}

const lines = (rows) => rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
const measured = measuredIn(given.report);
const rows = STEPS.map((users) => row(users, measured));
if (given.json) {
  console.log(JSON.stringify({ measured, rows }));
} else {
  const head = Object.values(COLUMNS);
  const cells = rows.map((one) => Object.keys(COLUMNS).map((key) => cell(one[key])));
  console.log(lines([head, head.map(() => '---'), ...cells]));
  console.log(
    `\n${lines([
      ['users', 'full with one of each'],
      ['---', '---'],
    ])}`,
  );
  console.log(lines(limits(measured).map(([users, name]) => [cell(users), name])));
  const found = Object.entries({ ...measured.us, ...measured.bytes });
  console.log(`\nMeasured: ${found.map(([name, value]) => `${name} ${cell(value)}`).join(', ')}.`);
  for (const [name, [, what]] of Object.entries(ASSUMED)) {
    console.log(`--${name} ${given[name]}: ${what}`);
  }
}
