import type { CsvHeader } from './csv-header.js';

/** A row of a table, read by the names of its columns. */
export class CsvRow {
  constructor(
    private readonly header: CsvHeader,
    private readonly fields: readonly string[],
  ) {}

  /** Trimmed; that of the first of these columns which has one. */
  text(...columns: readonly string[]): string {
    return (
      columns
        .map((column) => this.fields[this.header.columns.indexOf(column)]?.trim() ?? '')
        .find((text) => text !== '') ?? ''
    );
  }
}
