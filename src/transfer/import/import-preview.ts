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
import type { ListChoices } from '../../reading-list/saved-lists/saved-lists.service.js';
import type { ImportJob } from '../entities/import-job.entity.js';
import { type CheckedRow, checkedRow } from './checked-row.js';
import { folderListsIn, missingLists, withFolderTags } from './folder-lists.js';
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

/** The rules of an import that a preview needs. */
export type PreviewRules = ImportRules & Pick<ImportJob, 'foldersBecomeLists'>;

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
  async of(userId: string, path: string, rules: PreviewRules): Promise<ImportForecast> {
    // Loads `read-file.js` only when a preview runs. Imports do not need the module in this thread, because a separate
    // thread reads the file.
    const { readFile } = await import('../../lib/library-formats/read-file.js');
    const file = await readFile(path);
    const tally = new Tally();
    const notImported = new NotImportedFields();
    const planned: ListChoices[] = [];
    for await (const batch of batchesOf(file.rows(notImported), 0)) {
      const now = this.clock.seconds();
      const taken = batch.flatMap((row) => takenFrom(row, rules, now) ?? []);
      const items = taken.map(({ item }) => item);
      const outcomes = await previewItems(this.database.manager, userId, { items, now, rules });
      const lists = await this.listsIn(userId, batch);
      const missing = await this.missingIn(userId, batch, { rules, planned });
      tally.countLists(lists);
      tally.refuse(batch.length - taken.length - lists.length);
      for (const [at, row] of taken.entries()) {
        const outcome = outcomes[at];
        if (outcome !== undefined) {
          tally.count(outcome, withMissing(row, missing));
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

  /** Returns the lists that would not be created for folders, by row. Adds the lists that would be created to `planned`. */
  private async missingIn(
    userId: string,
    batch: readonly NumberedRow[],
    { rules, planned }: FolderRules,
  ): Promise<ReadonlyMap<number, readonly string[]>> {
    const given = folderListsIn(batch, rules);
    const results = await previewSavedLists(this.database.manager, userId, given, planned);
    planned.push(...given.filter((_, at) => results[at]?.became === 'added'));
    return missingLists(batch, results);
  }
}

/** A row of the file that the list can store. */
interface Taken extends CheckedRow {
  readonly rowNumber: number;
}

function takenFrom(
  { row, rowNumber, earlier }: NumberedRow,
  rules: PreviewRules,
  now: number,
): Taken | undefined {
  const checked =
    'item' in row
      ? checkedRow(withFolderTags(row.item, rules), { now, timeAdded: now, earlier })
      : undefined;
  return checked && { ...checked, rowNumber };
}

/** Adds the lists that would not be created for the folders of a row. */
const withMissing = (
  { item, leftOut, rowNumber }: Taken,
  missing: ReadonlyMap<number, readonly string[]>,
): CheckedRow => ({ item, leftOut: [...leftOut, ...(missing.get(rowNumber) ?? [])] });

interface FolderRules {
  readonly rules: PreviewRules;
  /** The lists of earlier batches, which would exist during an import. */
  readonly planned: ListChoices[];
}

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
