import type { EntityManager } from 'typeorm';

import { clean, cut } from '../../common/clean-text.js';
import type { ImportRow } from '../../library-formats/format.js';
import { importItems, type ImportResult } from '../../reading-list/list/list-import.js';
import { ImportJob } from '../entities/import-job.entity.js';
import { type CheckedRow, checkedRow } from './checked-row.js';
import {
  type ClaimedImport,
  type ImportCounts,
  ImportRepository,
  type NewRowError,
} from './import.repository.js';

const MAX_EXCERPT = 200;
/** More than a user reads; a file of nothing but line ends would have hundreds of millions. */
const MOST_ROW_ERRORS = 100_000;
const NO_ADDRESS = 'It has no http or https address of at most 4 KB.';

/** A row of the file with its number from 1 on. */
export interface NumberedRow {
  readonly rowNumber: number;
  readonly row: ImportRow;
}

interface RowsToImport {
  readonly rows: readonly NumberedRow[];
  /** In unix seconds. */
  readonly now: number;
  readonly pagesPerHour: number;
}

/** Another process has the lease, or the import is cancelled. */
export class LeaseLostError extends Error {}

/**
 * Applies some rows to the list and notes the result of each, in the caller's transaction: both are written or
 * neither, so that an import goes on where it stopped. Throws LeaseLostError.
 */
export async function importBatch(
  manager: EntityManager,
  job: ClaimedImport,
  { rows, now, pagesPerHour }: RowsToImport,
): Promise<ImportCounts> {
  const judged = rows.map((numbered) => judge(job, numbered, now));
  const checked = judged.flatMap(({ taken }) => taken ?? []);
  const items = checked.map(({ item }) => item);
  const { restoresDeleted, numbersBefore } = job;
  const outcomes = await importItems(manager, job.userId, {
    ...{ items, now, pagesPerHour, numbersBefore },
    rules: { restoresDeleted },
  });
  const next = outcomes.values();
  const results = judged.map((one) => resultOf(one, one.taken && next.next().value));
  const counts = tallyOf(results);
  const rowsDone = rows.at(-1)?.rowNumber ?? job.rowsDone;
  const imports = new ImportRepository(ImportJob, manager);
  const errorsNow = await imports.advance(job, rowsDone, counts);
  if (errorsNow === undefined) {
    throw new LeaseLostError();
  }
  const errors = results.flatMap(rowErrorOf);
  const room = Math.max(MOST_ROW_ERRORS - (errorsNow - errors.length), 0);
  await imports.addRowErrors(job, errors.slice(0, room));
  return counts;
}

interface Judged {
  readonly numbered: NumberedRow;
  readonly taken: CheckedRow | undefined;
}

interface Result extends Judged {
  readonly became: ImportResult['became'];
  readonly reason: string;
}

function judge({ createdAt }: ClaimedImport, numbered: NumberedRow, now: number): Judged {
  const timeAdded = Math.floor(createdAt.getTime() / 1000) - numbered.rowNumber + 1;
  const { row } = numbered;
  return {
    numbered,
    taken:
      'item' in row
        ? checkedRow(row.item, { now, timeAdded, isFromNewestFirst: row.isFromNewestFirst })
        : undefined,
  };
}

function resultOf(judged: Judged, outcome: ImportResult | undefined): Result {
  const { row } = judged.numbered;
  if (outcome === undefined) {
    return { ...judged, became: 'refused', reason: 'reason' in row ? row.reason : NO_ADDRESS };
  }
  if (outcome.became === 'refused') {
    return { ...judged, ...outcome };
  }
  const leftOut = [...(judged.taken?.leftOut ?? []), ...outcome.leftOut];
  const reason = leftOut.length === 0 ? '' : `Left out: ${leftOut.join('; ')}.`;
  return { ...judged, became: outcome.became, reason };
}

function tallyOf(results: readonly Result[]): ImportCounts {
  const counts = { added: 0, changed: 0, unchanged: 0, deleted: 0, refused: 0, incomplete: 0 };
  for (const { became, reason } of results) {
    counts[became] += 1;
    counts.incomplete += became !== 'refused' && reason !== '' ? 1 : 0;
  }
  return counts;
}

function rowErrorOf({ numbered: { rowNumber, row }, became, reason }: Result): NewRowError[] {
  const text = 'item' in row ? row.item.url : row.text;
  const excerpt = cut(clean(text), MAX_EXCERPT);
  return reason === ''
    ? []
    : [{ ...row.place, rowNumber, isRefused: became === 'refused', reason, excerpt }];
}

/** The counts alone, of what has them. */
export const countsOf = (from: ImportCounts): ImportCounts => {
  const { added, changed, unchanged, deleted, refused, incomplete } = from;
  return { added, changed, unchanged, deleted, refused, incomplete };
};

/** The counts of an import after some more rows. */
export const withCounts = <T extends ImportCounts>(before: T, more: ImportCounts): T => ({
  ...before,
  added: before.added + more.added,
  changed: before.changed + more.changed,
  unchanged: before.unchanged + more.unchanged,
  deleted: before.deleted + more.deleted,
  refused: before.refused + more.refused,
  incomplete: before.incomplete + more.incomplete,
});
