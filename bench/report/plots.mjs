// Draws the pictures of a report.
import { dotChart, lineChart } from './chart.mjs';

/** Node 20 has no Map.groupBy. */
function groupsOf(rows, key) {
  const groups = new Map();
  for (const row of rows) groups.set(row[key], [...(groups.get(row[key]) ?? []), row]);
  return groups;
}

const endpoints = ({ rows, load }) =>
  dotChart({
    title: 'Endpoints beside the floors',
    note: `Processor time of a request, server and database; less is better. Load ${load}.`,
    x: { label: 'µs (logarithmic)', isLog: true },
    series: ['service', 'fair floor', 'bare floor'],
    rows: rows.map(({ name, used, fairUsed, floorUsed }) => ({
      name,
      // Earlier reports have no fair floor.
      values: [used, fairUsed ?? null, floorUsed],
    })),
  });

const sizes = ({ rows, load }) =>
  lineChart({
    title: 'Latency by the size of the list',
    note: `Median of one request after the other, by the clock; less is better. Load ${load}.`,
    x: { label: 'items in the list (logarithmic)', isLog: true, ticks: rowsOf(rows, 'items') },
    y: { label: 'ms (logarithmic)', isLog: true },
    series: [...groupsOf(rows, 'call')].map(([name, own]) => ({
      name,
      points: own.map(({ items, p50 }) => [items, p50]),
    })),
  });

const rowsOf = (rows, key) => [...new Set(rows.map((row) => row[key]))].sort((a, b) => a - b);

const load = ({ rows, load: busy }) =>
  lineChart({
    title: 'Mixed load at rising concurrency',
    note: `12 idle polls, 5 pages, 2 adds and a search of 20 requests, one process. Load ${busy}.`,
    x: { label: 'connections (logarithmic)', isLog: true, ticks: rowsOf(rows, 'connections') },
    y: { label: 'ms (logarithmic)', isLog: true },
    series: ['p50', 'p99'].map((key) => ({
      name: key,
      points: rows.map((row) => [row.connections, row[key]]),
    })),
  });

const imports = ({ rows, load: busy }) =>
  lineChart({
    title: 'Import over rows',
    note: `Rows a second of a file into an empty list, and the least that parsing and inserting take. Load ${busy}.`,
    x: { label: 'rows of the file (logarithmic)', isLog: true, ticks: rowsOf(rows, 'rows') },
    y: { label: 'rows a second (logarithmic)', isLog: true },
    series: [
      ['service', 'rate'],
      ['the least', 'floor'],
    ].map(([name, key]) => ({ name, points: rows.map((row) => [row.rows, row[key]]) })),
  });

const extraction = ({ rows, pages }) =>
  dotChart({
    title: 'Extraction',
    note: `F1 of the text over ${pages} pages in three sets of ground truth; more is better.`,
    x: { label: 'F1' },
    series: rows.map(({ name }) => name),
    rows: ['sh', 'wcxb', 'traf'].map((set) => ({
      name: set,
      values: rows.map((row) => row[set]),
    })),
  });

/** Functions that draw a benchmark as SVG, keyed by name. Some benchmarks have none. */
export const PLOTS = { endpoints, sizes, load, import: imports, extraction };
