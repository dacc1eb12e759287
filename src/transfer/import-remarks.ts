import { Injectable } from '@nestjs/common';

import { Database } from '../database/database.js';
import { run } from '../database/statements.js';
import type { ImportRemark } from './import-job.js';

const PAGE = 1000;

const NEXT = `
    SELECT row_number AS "rowNumber", path, line, is_refused AS "isRefused", reason, excerpt
    FROM import_remarks WHERE import_id = $1 AND row_number > $2 ORDER BY row_number LIMIT ${PAGE}`;

/** The rows of imported files that were refused, or taken without something. */
@Injectable()
export class ImportRemarks {
  constructor(private readonly database: Database) {}

  /** All of an import, in the order of the file. */
  async *of(importId: string): AsyncGenerator<ImportRemark> {
    let last = 0;
    for (;;) {
      const remarks = await this.after(importId, last);
      yield* remarks;
      if (remarks.length < PAGE) {
        return;
      }
      last = remarks.at(-1)?.rowNumber ?? last;
    }
  }

  private after(importId: string, rowNumber: number): Promise<ImportRemark[]> {
    return this.database.read((manager) =>
      run<ImportRemark & Record<string, unknown>>(manager, {
        text: NEXT,
        values: [importId, rowNumber],
      }),
    );
  }
}
