import { Injectable } from '@nestjs/common';

import {
  NotImportedFields,
  type NotImportedReport,
} from '../../lib/library-formats/not-imported.js';
import { Clock } from '../../platform/common/clock.js';
import { Database } from '../../platform/database/database.js';
import {
  type ImportResult,
  type ImportRules,
  previewItems,
} from '../../reading-list/list/list-import.js';
import {
  type ListImportResult,
  previewSavedLists,
} from '../../reading-list/saved-lists/saved-list-import.js';
import { type CheckedRow, checkedRow } from './checked-row.js';
import type { ImportCounts } from './import.repository.js';
import { NO_ROWS, type NumberedRow } from './import-batch.js';
import { batchesOf } from './row-batches.js';

/** The expected result of an import, as a preview shows it. */
interface ImportForecast extends ImportCounts {
  readonly format: string;
  readonly formatReason: string;
  readonly rows: number;
  readonly notImported: NotImportedReport;
}

/** Previews imports. A preview reads a file in the same way as an import, but does not change the list. */
@Injectable()
export class ImportPreview {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Previews the import of a file.
   *
   * @throws UnknownFormatError, UnreadableFileError
   */
  async of(userId: string, path: string, rules: ImportRules): Promise<ImportForecast> {
    // Loads `read-file.js` only when a preview runs. Imports do not need the module in this thread, because a separate
    // thread reads the file.
    const { readFile } = await import('../../lib/library-formats/read-file.js');
    const file = await readFile(path);
    const tally = new Tally();
    const notImported = new NotImportedFields();
    for await (const batch of batchesOf(file.rows(notImported), 0)) {
      const now = this.clock.seconds();
      const taken = batch.map((row) => takenFrom(row, now)).filter((row) => row !== undefined);
      const items = taken.map(({ item }) => item);
      const outcomes = await previewItems(this.database.manager, userId, { items, now, rules });
      const lists = await this.listsIn(userId, batch);
      tally.countLists(lists);
      tally.refuse(batch.length - taken.length - lists.length);
      for (const [at, row] of taken.entries()) {
        const outcome = outcomes[at];
        if (outcome !== undefined) {
          tally.count(outcome, row);
        }
      }
    }
    const { format, reason: formatReason } = file;
    const { counts, rows } = tally;
    return { ...counts, format, formatReason, rows, notImported: notImported.report() };
  }

  private listsIn(userId: string, batch: readonly NumberedRow[]): Promise<ListImportResult[]> {
    const given = batch.flatMap(({ row }) => ('list' in row ? [row.list] : []));
    return previewSavedLists(this.database.manager, userId, given);
  }
}

const takenFrom = ({ row, earlier }: NumberedRow, now: number): CheckedRow | undefined =>
  'item' in row ? checkedRow(row.item, { now, timeAdded: now, earlier }) : undefined;

/**
 * Counts the rows of a file by their results, as an import would. If several rows contain the same new page, only the
 * first of these rows is counted as added.
 */
class Tally {
  readonly counts = { ...NO_ROWS };
  rows = 0;
  private readonly seen = new Set<string>();

  refuse(rows: number): void {
    this.counts.refused += rows;
    this.rows += rows;
  }

  countLists(results: readonly ListImportResult[]): void {
    this.rows += results.length;
    for (const result of results) {
      this.counts[result.became] += 1;
      this.counts.incomplete += result.became !== 'refused' && result.leftOut.length > 0 ? 1 : 0;
    }
  }

  count(outcome: ImportResult, { item, leftOut }: CheckedRow): void {
    const { itemId } = item.address;
    const isAgain = outcome.became === 'added' && this.seen.has(itemId);
    this.seen.add(itemId);
    this.rows += 1;
    this.counts[isAgain ? 'unchanged' : outcome.became] += 1;
    if (outcome.became === 'refused') {
      return;
    }
    if (outcome.leftOut.length + leftOut.length > 0) {
      this.counts.incomplete += 1;
    } else if (item.earlier !== undefined && (isAgain || outcome.mergedInto !== undefined)) {
      this.counts.merged += 1;
    }
  }
}
