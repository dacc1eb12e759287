// Formats results as tables for reading, or for docs/research/resolving.md.
/** A Markdown table. */
class Table {
  #rows = [];

  constructor({ head }) {
    this.#rows.push(
      head,
      head.map(() => '---'),
    );
  }

  push(row) {
    this.#rows.push(row);
  }

  toString() {
    const widths = this.#rows[0].map((_, column) =>
      Math.max(...this.#rows.map((row) => row[column].length)),
    );
    return this.#rows
      .map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`)
      .join('\n');
  }
}

const share = (value) => (Number.isFinite(value) ? value.toFixed(3) : '-');
const ms = (value) => value.toFixed(1);

export function report(results) {
  return [textTable(results), metadataTable(results), timeTable(results)].join('\n\n');
}

function textTable(results) {
  const table = new Table({ head: ['text', ...results.map(({ name }) => name)] });
  const sets = Object.keys(results[0].text).filter((set) => results[0].text[set].pages > 0);
  for (const set of sets) {
    for (const figure of ['f1', 'precision', 'recall']) {
      const row = results.map(({ text }) => share(text[set][figure]));
      if (row.some((cell) => cell !== '-')) {
        const label = set === 'words' ? 'word count within 10 %' : `${set} ${figure}`;
        table.push([`${label} (${results[0].text[set].pages})`, ...row]);
      }
    }
  }
  return table.toString();
}

function metadataTable(results) {
  const table = new Table({ head: ['metadata', ...results.map(({ name }) => name)] });
  for (const [field, { pages }] of Object.entries(results[0].metadata)) {
    if (pages > 0) {
      table.push([
        `${field} (${pages})`,
        ...results.map((one) => share(one.metadata[field].score)),
      ]);
    }
  }
  for (const field of ['isArticle', 'isIndex']) {
    table.push([`wcxb ${field}`, ...results.map(({ kind }) => share(kind[field]))]);
  }
  return table.toString();
}

function timeTable(results) {
  const table = new Table({ head: ['time and memory', ...results.map(({ name }) => name)] });
  for (const figure of ['median', 'p95', 'max', 'mean']) {
    table.push([`ms a page, ${figure}`, ...results.map(({ time }) => ms(time[figure]))]);
  }
  for (const figure of ['median', 'p95']) {
    table.push([`processor ms a page, ${figure}`, ...results.map(({ cpu }) => ms(cpu[figure]))]);
  }
  table.push(['peak memory, MB', ...results.map((one) => String(one.peakMemoryMb))]);
  table.push(['pages without text', ...results.map((one) => String(one.failures))]);
  return table.toString();
}
