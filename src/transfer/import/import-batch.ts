import type { EntityManager } from 'typeorm';

import type { ImportRow, ListToImport } from '../../lib/library-formats/format.js';
import { clean, cut } from '../../lib/util/clean-text.js';
import {
  importItems,
  type ImportResult,
  type TakenRow,
} from '../../reading-list/list/list-import.js';
import {
  importSavedLists,
  type ListImportResult,
} from '../../reading-list/saved-lists/saved-list-import.js';
import {
  ImportChangesRepository,
  LeaseLostError,
  type NewChanges,
} from '../undo/import-changes.repository.js';
import { type CheckedRow, checkedRow } from './checked-row.js';
import type { SamePage } from './first-rows.js';
import { folderListsIn, missingLists, withFolderTags } from './folder-lists.js';
import {
  type ClaimedImport,
  type ImportCounts,
  ImportRepository,
  type NewRowError,
} from './import.repository.js';

const MAX_EXCERPT = 200;
/**
 * The maximum number of row errors that an import stores. Without a limit, a file of empty lines
 * could cause hundreds of millions of row errors.
 */
const MOST_ROW_ERRORS = 100_000;
const NO_ADDRESS = 'It has no http or https address of at most 4 KB.';

/** A row of the imported file with its number. The first row has the number 1. */
export interface NumberedRow {
  readonly rowNumber: number;
  readonly row: ImportRow;
  /**
   * Data about earlier rows of the file that contain the same page as `row`. Undefined if no earlier row contains this
   * page.
   */
  readonly earlier?: SamePage;
  /** The paths of the folders of `row` that no earlier row of the file has. Undefined if there are none. */
  readonly newFolders?: readonly string[];
}

interface RowsToImport {
  readonly rows: readonly NumberedRow[];
  /** The current time in unix seconds. */
  readonly now: number;
  readonly pagesPerHour: number;
  readonly storageLimit: number;
}

/**
 * Writes imported rows to the list, and stores the row counts and the row errors of the import.
 * Uses one transaction, so an interrupted import can continue after its last batch.
 * @throws LeaseLostError if another process has the lease, or if the import is cancelled
 */
export async function importBatch(
  manager: EntityManager,
  job: ClaimedImport,
  { rows, now, ...limits }: RowsToImport,
): Promise<ImportCounts> {
  const judged = rows.map((numbered) => judge(job, numbered, now));
  const items = judged.flatMap(({ taken }) => taken?.item ?? []);
  const { restoresDeleted, numbersBefore } = job;
  const { results: outcomes, changes } = await importItems(manager, job.userId, {
    items,
    now,
    numbersBefore,
    ...limits,
    rules: { restoresDeleted },
  });
  const { lists, missing } = await importLists(manager, job, rows);
  const results = resultsOf(judged, outcomes, lists).map((one) => withMissing(one, missing));
  const counts = tallyOf(results);
  const savedLists = lists.flatMap((one) => (one.became === 'added' ? (one.mark ?? []) : []));
  const lastRow = rows.at(-1)?.rowNumber ?? job.rowsDone;
  const errorsNow = await recorded(manager, job, { counts, ...changes, savedLists, lastRow });
  const errors = results.flatMap(rowErrorOf);
  const room = Math.max(MOST_ROW_ERRORS - (errorsNow - errors.length), 0);
  await ImportRepository.in(manager).addRowErrors(job, errors.slice(0, room));
  return counts;
}

/**
 * Stores the counts and the changes of a batch. Returns the number of all row errors of the import.
 * @throws LeaseLostError if another process has the lease, or if the import is cancelled
 */
async function recorded(
  manager: EntityManager,
  job: ClaimedImport,
  { counts, ...changes }: NewChanges & { readonly counts: ImportCounts },
): Promise<number> {
  const [errors] = await Promise.all([
    ImportRepository.in(manager).advance(job, changes.lastRow, counts),
    ImportChangesRepository.in(manager).record(job, changes),
  ]);
  if (errors === undefined) {
    throw new LeaseLostError();
  }
  return errors;
}

interface ImportedLists {
  /** The results of the saved lists in the rows, and of the lists for folders after them. */
  readonly lists: readonly ListImportResult[];
  /** The lists that were not created for folders, by the number of the row. */
  readonly missing: ReadonlyMap<number, readonly string[]>;
}

/** Saves the lists in the rows, and the lists for the folders of the rows. */
async function importLists(
  manager: EntityManager,
  job: ClaimedImport,
  rows: readonly NumberedRow[],
): Promise<ImportedLists> {
  const ownLists = rows.flatMap(listIn);
  const given = [...ownLists, ...folderListsIn(rows, job)];
  const lists = await importSavedLists(manager, job.userId, given);
  return { lists, missing: missingLists(rows, lists.slice(ownLists.length)) };
}

interface Judged {
  readonly numbered: NumberedRow;
  readonly taken: CheckedRow | undefined;
}

interface Result extends Judged {
  readonly became: ImportResult['became'];
  readonly isMerged: boolean;
  /** The text of the row error. Empty if the row was imported completely and was not merged with an earlier row. */
  readonly reason: string;
}

function judge(job: ClaimedImport, numbered: NumberedRow, now: number): Judged {
  const timeAdded = Math.floor(job.createdAt.getTime() / 1000) - numbered.rowNumber + 1;
  const { row, earlier } = numbered;
  return {
    numbered,
    taken:
      'item' in row
        ? checkedRow(withFolderTags(row.item, job), {
            now,
            timeAdded,
            earlier,
            isFromNewestFirst: row.isFromNewestFirst,
          })
        : undefined,
  };
}

/** Returns the result of each row. `outcomes` and `lists` are the results of the items and of the saved lists. */
function resultsOf(
  judged: readonly Judged[],
  outcomes: readonly ImportResult[],
  lists: readonly ListImportResult[],
): Result[] {
  const next = outcomes.values();
  const nextList = lists.values();
  return judged.map((one) =>
    'list' in one.numbered.row
      ? resultOfList(one, nextList.next().value)
      : resultOf(one, one.taken && next.next().value),
  );
}

/** Adds the lists that were not created for the folders of a row to the reason of its result. */
function withMissing(result: Result, missing: ReadonlyMap<number, readonly string[]>): Result {
  const leftOut = missing.get(result.numbered.rowNumber) ?? [];
  const reason = [result.reason, leftOutText({ leftOut })].filter((text) => text !== '').join(' ');
  return leftOut.length === 0 ? result : { ...result, isMerged: false, reason };
}

const listIn = ({ row }: NumberedRow): readonly ListToImport[] => ('list' in row ? [row.list] : []);

function resultOfList(judged: Judged, outcome: ListImportResult | undefined): Result {
  if (outcome === undefined || outcome.became === 'refused') {
    return { became: 'refused', isMerged: false, reason: outcome?.reason ?? '', ...judged };
  }
  return { became: outcome.became, isMerged: false, reason: leftOutText(outcome), ...judged };
}

const leftOutText = ({ leftOut }: { readonly leftOut: readonly string[] }): string =>
  leftOut.length === 0 ? '' : `Left out: ${leftOut.join('; ')}.`;

function resultOf(judged: Judged, outcome: ImportResult | undefined): Result {
  const { row } = judged.numbered;
  if (outcome === undefined) {
    const reason = 'reason' in row ? row.reason : NO_ADDRESS;
    return { became: 'refused', isMerged: false, reason, ...judged };
  }
  if (outcome.became === 'refused') {
    return { ...judged, ...outcome, isMerged: false };
  }
  const leftOut = [...(judged.taken?.leftOut ?? []), ...outcome.leftOut];
  const merger = mergerOf(judged.numbered, outcome);
  const reasons = [...merger, leftOutText({ leftOut })].filter((text) => text !== '');
  return {
    became: outcome.became,
    isMerged: merger.length > 0 && leftOut.length === 0,
    reason: reasons.join(' '),
    ...judged,
  };
}

/**
 * Returns one sentence with the position of the earlier row that contains the same page. Returns an empty array if the
 * row was not merged.
 */
function mergerOf({ earlier }: NumberedRow, { mergedInto }: TakenRow): readonly string[] {
  if (earlier === undefined || mergedInto === undefined) {
    return [];
  }
  const { path, line } = earlier.first;
  const place = `line ${line}${path === '' ? '' : ` of ${cut(clean(path), MAX_EXCERPT)}`}`;
  const url = cut(clean(mergedInto), MAX_EXCERPT);
  return [`The same page as ${place}, ${url}: both rows are one item.`];
}

function tallyOf(results: readonly Result[]): ImportCounts {
  const counts = { ...NO_ROWS };
  for (const { became, isMerged, reason } of results) {
    counts[became] += 1;
    counts.merged += isMerged ? 1 : 0;
    counts.incomplete += became !== 'refused' && !isMerged && reason !== '' ? 1 : 0;
  }
  return counts;
}

function rowErrorOf(result: Result): NewRowError[] {
  const { numbered, became, isMerged, reason } = result;
  const { rowNumber, row } = numbered;
  const text = 'item' in row ? row.item.url : row.text;
  const excerpt = cut(clean(text), MAX_EXCERPT);
  return reason === ''
    ? []
    : [{ ...row.place, rowNumber, isRefused: became === 'refused', isMerged, reason, excerpt }];
}

/** The row counts of an import that has not processed any rows. */
export const NO_ROWS: ImportCounts = {
  added: 0,
  changed: 0,
  unchanged: 0,
  deleted: 0,
  refused: 0,
  incomplete: 0,
  merged: 0,
};

/** Returns the row counts of an import without its other properties. */
export const countsOf = (from: ImportCounts): ImportCounts => {
  const { added, changed, unchanged, deleted, refused, incomplete, merged } = from;
  return { added, changed, unchanged, deleted, refused, incomplete, merged };
};

/** Returns an import with `more` added to its row counts. */
export const withCounts = <T extends ImportCounts>(before: T, more: ImportCounts): T => ({
  ...before,
  added: before.added + more.added,
  changed: before.changed + more.changed,
  unchanged: before.unchanged + more.unchanged,
  deleted: before.deleted + more.deleted,
  refused: before.refused + more.refused,
  incomplete: before.incomplete + more.incomplete,
  merged: before.merged + more.merged,
});
