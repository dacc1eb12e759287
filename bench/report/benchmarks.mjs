// The benchmarks of a report: parameters of the full and the short form, and the shown figures. A benchmark without a
// form is skipped in that form. `passes` names an option of the report with further parameters, which the report does not
// show, because they can contain keys.

/**
 * Converts the output of bench/extract.mjs to rows and ratios: the text scores of three sets, and the time relative to
 * Readability.
 */
function extraction(results) {
  const rows = results.map(({ name, text, cpu, peakMemoryMb }) => ({
    name,
    ...{ sh: text.sh.f1, wcxb: text.wcxb.f1, traf: text.traf.f1 },
    ...{ median: cpu.median, p95: cpu.p95, memory: peakMemoryMb },
  }));
  const of = (wanted) => rows.find(({ name }) => name === wanted);
  const [own, other] = [of('satchel'), of('readability')];
  const names = {
    sh: 'F1 of sh',
    wcxb: 'F1 of wcxb',
    traf: 'F1 of traf',
    median: 'processor time',
  };
  const ratios = Object.entries(names).map(([key, name]) => [
    `extraction, ${name} beside Readability`,
    own[key] / other[key],
  ]);
  return { pages: results[0].pages, ratios: Object.fromEntries(ratios), rows };
}

const RATE = { rate: 'a second', processor: 'processor, µs a request' };

export const BENCHMARKS = {
  endpoints: {
    title: 'Endpoints beside the floors',
    script: 'endpoints.mjs',
    full: ['--seconds', '1', '--rounds', '5'],
    short: '--lists sizes --seconds 1 --rounds 2 --only'.split(' ').concat('one connection,add'),
    columns: {
      ...{ name: 'request', rate: 'service/s', fairRate: 'fair/s', floorRate: 'bare/s' },
      ...{ used: 'µs service', fairUsed: 'µs fair', floorUsed: 'µs bare' },
      ...{ fairRatio: 'fair / service, µs', goal: 'goal' },
      ...{ usedRatio: 'bare / service, µs', bareGoal: 'goal' },
    },
  },
  layers: {
    title: 'Where the time of a call goes',
    script: 'layers.mjs',
    full: [],
    columns: {
      ...{ layer: 'layer', poll: 'idle poll, µs of processor time' },
      ...{ pollAlone: 'the same, one connection', get: 'get, 30 items' },
      ...{ add: 'add', archive: 'archive' },
    },
  },
  sizes: {
    title: 'Latency by the size of the list',
    script: 'sizes.mjs',
    full: ['--requests', '40'],
    short: ['--requests', '10'],
    columns: {
      ...{ call: 'call', items: 'items', p50: 'p50, ms', p95: 'p95, ms' },
      processor: 'processor, ms',
    },
  },
  tagMoves: {
    title: 'Rename and deletion of a tag of 54,000 items',
    script: 'tag-moves.mjs',
    full: [],
    columns: {
      ...{ name: 'meanwhile', seconds: 'seconds', processor: 'seconds of processor time' },
      ...{ pageP50: 'page, p50, ms', pageP95: 'p95', pollP50: 'poll, p50', pollP95: 'p95' },
      ...{ addP50: 'add, p50', addP95: 'p95', addMost: 'at most' },
    },
  },
  load: {
    title: 'Mixed load at rising concurrency',
    script: 'load.mjs',
    full: ['--seconds', '5'],
    short: ['--seconds', '3', '--connections', '1,16,64'],
    columns: { connections: 'connections', p50: 'p50, ms', p99: 'p99, ms', ...RATE },
  },
  import: {
    title: 'Import',
    script: 'import.mjs',
    full: ['--rows', '1000,10000,100000', '--full', '0'],
    short: ['--rows', '10000', '--full', '0'],
    columns: {
      ...{ rows: 'rows', rate: 'rows/s', floor: 'the least, rows/s' },
      ...{ memory: 'MB above rest', p95: "p95 of another's get, ms", quiet: 'the same at rest' },
    },
  },
  importParts: {
    title: 'Where the time of an imported row goes',
    script: 'import-parts.mjs',
    full: [],
    columns: { part: 'part', us: 'µs of processor time a row' },
    more: { wal: 'bytes of WAL a row' },
  },
  extraction: {
    title: 'Extraction',
    script: 'extract.mjs',
    needs: 'pages',
    full: ['--json'],
    isPrinted: extraction,
    columns: {
      ...{ name: 'candidate', sh: 'F1, sh', wcxb: 'F1, wcxb', traf: 'F1, traf' },
      ...{ median: 'processor, ms, median', p95: 'p95', memory: 'peak memory, MB' },
    },
  },
  storage: {
    title: 'Bytes of items and pages',
    script: 'storage.mjs',
    takes: 'pages',
    full: ['--every', '8'],
    columns: { table: 'table', heap: 'rows, bytes an item', indexes: 'indexes', total: 'together' },
    more: {
      ...{ item: 'bytes an item, all tables', user: 'bytes a user and list' },
      ...{ transfer: 'bytes of a page as fetched', text: 'of its text' },
      ...{ article: 'of its article, stored', page: 'of its row' },
    },
  },
  resolve: {
    title: 'Reading pages',
    script: 'resolve.mjs',
    full: ['--seconds', '10', '--queued', '20000'],
    more: { rate: 'pages a second', floor: 'bare fetch and extraction' },
  },
  lists: {
    title: 'Filters and orders of the list of 200,000',
    script: 'list-queries.mjs',
    full: ['--pairs', '100', '--sets', '20', '--no-check', '--slow', '5'],
    more: {
      ...{ combinations: 'combinations', p50: 'p50, ms', p95: 'p95, ms', max: 'max, ms' },
      scale: 'yardstick, ms',
    },
  },
  texts: {
    title: 'Searches in articles',
    script: 'text-queries.mjs',
    full: ['--repeats', '3'],
    more: { searches: 'searches', p50: 'p50, ms', p95: 'p95, ms', max: 'max, ms' },
  },
  reader: {
    title: 'The reader',
    script: 'reader.mjs',
    full: ['--requests', '30'],
    columns: { path: 'page', ms: 'processor, ms', bytes: 'bytes' },
  },
  epub: {
    title: 'Books',
    script: 'epub.mjs',
    full: ['--sizes', '50,250'],
    columns: {
      ...{ articles: 'articles', ms: 'processor, ms an article', bytes: 'bytes' },
      ...{ idle: 'MB before', over: 'at most, MB more' },
    },
  },
  wallabag: {
    title: "Wallabag's apps",
    script: 'wallabag.mjs',
    full: [],
    columns: { name: 'sync', ms: 'ms', ratio: 'processor time beside the floor' },
  },
  workers: {
    title: 'Web workers',
    script: 'workers.mjs',
    full: ['--seconds', '1', '--rounds', '2'],
    columns: {
      ...{ name: 'call', workers: 'workers', rate: 'a second', p99: 'p99, ms' },
      ...{
        web: 'web, µs',
        other: 'other, µs',
        database: 'database, µs',
        generator: 'generator, µs',
      },
    },
  },
  memory: {
    title: 'Memory',
    script: 'memory.mjs',
    isOnEmbedded: true,
    full: ['--minutes', '5'],
    columns: {
      ...{ when: 'when', calls: 'calls', rss: 'RSS, MB', heap: 'heap, MB' },
      ...{ external: 'beside the heap, MB', database: 'database, MB' },
    },
  },
  peers: {
    title: 'Side by side',
    script: 'peers.mjs',
    passes: 'peers',
    full: [],
    columns: {
      ...{ peer: 'server', items: 'items', page: 'page of 30, ms', tag: 'tag, ms' },
      ...{ search: 'search, ms', add: 'add, ms', archive: 'archive, ms', delta: 'delta, ms' },
      memory: 'memory, MB',
    },
  },
};
