// Writes the page of a report: the machine, and a table and a picture for each benchmark.
import { BENCHMARKS } from './benchmarks.mjs';
import { PLOTS } from './plots.mjs';

function cell(value) {
  if (typeof value !== 'number') return String(value ?? '');
  if (Number.isInteger(value) || Math.abs(value) >= 100) {
    return Math.round(value).toLocaleString('en');
  }
  return String(Number(value.toPrecision(3)));
}

const tableOf = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

const isShellWord = /^[\w./,-]+$/;
const command = ({ script, needs, takes }, { asked, pages }) =>
  [
    'node',
    `bench/${script}`,
    ...(needs || (takes && pages) ? ['--data DIR'] : []),
    ...asked.map((one) => (isShellWord.test(one) ? one : `'${one}'`)),
  ].join(' ');

function sectionOf(name, figures) {
  const { title, columns, more = {} } = BENCHMARKS[name];
  const single = Object.entries(more).filter(([key]) => key in figures);
  const shown = columns ? [] : Object.entries(figures.ratios ?? {});
  const named = [
    ...single.map(([key, label]) => [label, cell(figures[key])]),
    ...shown.map(([label, ratio]) => [label, cell(ratio)]),
  ];
  const facts = `${figures.date}, load ${figures.load}, ${Math.round(figures.took)} s`;
  const parts = [`## ${title}`, `\`${command(BENCHMARKS[name], figures)}\`, ${facts}.`];
  if (name in PLOTS) parts.push(`![${title}](${name}.svg)`);
  if (columns) {
    const rows = figures.rows.map((row) => Object.keys(columns).map((key) => cell(row[key])));
    parts.push(tableOf(Object.values(columns), rows));
  }
  if (named.length > 0) parts.push(tableOf(['figure', ''], named));
  return parts.join('\n\n');
}

/** A benchmark keeps its figures until it runs again. */
function loadsOf(all) {
  const loads = all.map(({ load }) => Math.round(load));
  const [least, most] = [Math.min(...loads), Math.max(...loads)];
  return `The benchmarks need not be of one run: each has its own date, and the load of the machine at its end, its own included, here from ${least} to ${most}. Figures of different loads are not to be compared; where the load is above the number of cores, take ratios, and even these differ from those of a machine at rest.`;
}

/** Returns the report as Markdown. */
export function pageOf({ machine, benchmarks }) {
  const missing = Object.keys(BENCHMARKS).filter((name) => !(name in benchmarks));
  const parts = [
    '# Report of the benchmarks',
    `Written by \`npm run bench\`; what the figures mean stands in [performance.md](../performance.md). ${machine.cores} cores (${machine.processor}), ${machine.memory} GB, Node ${machine.node}, PostgreSQL ${machine.postgres}. ${loadsOf(Object.values(benchmarks))} The figures of all are in [report.json](report.json).`,
    ...(missing.length > 0
      ? [`Not run: ${missing.map((name) => BENCHMARKS[name].title.toLowerCase()).join(', ')}.`]
      : []),
    ...Object.keys(BENCHMARKS)
      .filter((name) => name in benchmarks)
      .map((name) => sectionOf(name, benchmarks[name])),
  ];
  return `${parts.join('\n\n')}\n`;
}
