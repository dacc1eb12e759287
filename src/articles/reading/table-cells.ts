import type { Attributes } from './parse-article.js';

const MAX_SPAN = 50;

/**
 * Collects the cells of a table, row by row. Markdown has no cells that span columns or rows, so each such cell is
 * followed by empty cells, and all columns stay aligned.
 */
export class TableCells {
  private row: string[] = [];
  private span = { columns: 1, rows: 1 };
  /** For each column, the number of further rows that a cell of an earlier row covers. */
  private covered: number[] = [];

  openRow(): void {
    this.row = [];
  }

  openCell({ colspan, rowspan }: Attributes): void {
    this.span = { columns: spanOf(colspan), rows: spanOf(rowspan) };
  }

  closeCell(text: string): void {
    this.skipCovered();
    for (let column = 0; column < this.span.columns; column += 1) {
      this.covered[this.row.length] = this.span.rows - 1;
      this.row.push(column === 0 ? text : '');
    }
    this.span = { columns: 1, rows: 1 };
  }

  /** Returns the cells of the row, with empty cells for the columns that cells of earlier rows cover. */
  closeRow(): readonly string[] {
    this.skipCovered();
    return this.row;
  }

  private skipCovered(): void {
    for (let left = this.covered[this.row.length] ?? 0; left > 0;) {
      this.covered[this.row.length] = left - 1;
      this.row.push('');
      left = this.covered[this.row.length] ?? 0;
    }
  }
}

const spanOf = (span = '1'): number =>
  /^\d{1,3}$/.test(span) ? Math.min(Math.max(Number(span), 1), MAX_SPAN) : 1;
