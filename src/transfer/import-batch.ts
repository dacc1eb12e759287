import type { EntityManager } from 'typeorm';

import { run } from '../database/statements.js';
import { cut } from '../reading-list/list/given-title.js';
import type { ImportOutcome } from '../reading-list/list/import-item.js';
import { importItems } from '../reading-list/list/import-items.js';
import { type CheckedRow, checkedRow } from './checked-row.js';
import { clean } from './clean-text.js';
import type { ClaimedImport, ImportCounts, ImportRemark } from './import-job.js';
import { IMPORT_LEASE } from './import-lease.js';
import type { ImportRow } from './import-row.js';

const MAX_EXCERPT = 200;
/** Nobody reads more, and a file of nothing but line ends has hundreds of millions. */
const MOST_REMARKS = 100_000;
const NO_ADDRESS = 'It has no http or https address of at most 4 KB.';

/** A row of the file with its number from 1 on. */
export interface NumberedRow {
  readonly rowNumber: number;
  readonly row: ImportRow;
}

export interface RowsToImport {
  readonly rows: readonly NumberedRow[];
  /** In unix seconds. */
  readonly now: number;
  readonly pagesPerHour: number;
}

/** Whoever does not hold the lease any more writes nothing. */
const ADVANCE = `
    UPDATE imports SET rows_done = $3, added = added + $4, changed = changed + $5, unchanged = unchanged + $6,
      deleted = deleted + $7, refused = refused + $8, incomplete = incomplete + $9, attempts = 0, readers_ended = 0,
      leased_until = now() + ${IMPORT_LEASE}
    WHERE id = $2 AND lease = $1 RETURNING refused + incomplete AS remarks`;

const REMARK = `
    INSERT INTO import_remarks (import_id, row_number, path, line, is_refused, reason, excerpt)
    SELECT $1, * FROM unnest($2::integer[], $3::text[], $4::integer[], $5::boolean[], $6::text[], $7::text[])`;

/** The lease belongs to somebody else, or the import is cancelled. */
export class LeaseLostError extends Error {}

/**
 * Brings some rows into the list and writes down what became of each, in the caller's transaction: either both or
 * none is kept, so that an import goes on where it was. Throws LeaseLostError.
 */
export async function importBatch(
  manager: EntityManager,
  job: ClaimedImport,
  { rows, now, pagesPerHour }: RowsToImport,
): Promise<ImportCounts> {
  const judged = rows.map((numbered) => judge(job, numbered, now));
  const checked = judged.flatMap(({ taken }) => taken ?? []);
  const items = checked.map(({ item }) => item);
  const rules = { restoresDeleted: job.restoresDeleted };
  const outcomes = await importItems(manager, job.userId, { items, now, rules, pagesPerHour });
  const next = outcomes.values();
  const results = judged.map((one) => resultOf(one, one.taken && next.next().value));
  const counts = countsOf(results);
  const rowsDone = rows.at(-1)?.rowNumber ?? job.rowsDone;
  const remarks = results.flatMap(remarkOf);
  const remarked = (await advance(manager, job, { counts, rowsDone })) - remarks.length;
  await remark(manager, job.id, remarks.slice(0, Math.max(MOST_REMARKS - remarked, 0)));
  return counts;
}

interface Judged {
  readonly numbered: NumberedRow;
  readonly taken: CheckedRow | undefined;
}

interface Result extends Judged {
  readonly became: ImportOutcome['became'];
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

function resultOf(judged: Judged, outcome: ImportOutcome | undefined): Result {
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

function countsOf(results: readonly Result[]): ImportCounts {
  const counts = { added: 0, changed: 0, unchanged: 0, deleted: 0, refused: 0, incomplete: 0 };
  for (const { became, reason } of results) {
    counts[became] += 1;
    counts.incomplete += became !== 'refused' && reason !== '' ? 1 : 0;
  }
  return counts;
}

function remarkOf({ numbered: { rowNumber, row }, became, reason }: Result): ImportRemark[] {
  const text = 'item' in row ? row.item.url : row.text;
  const excerpt = cut(clean(text), MAX_EXCERPT);
  return reason === ''
    ? []
    : [{ ...row.place, rowNumber, isRefused: became === 'refused', reason, excerpt }];
}

interface Progress {
  readonly counts: ImportCounts;
  readonly rowsDone: number;
}

/** Gives how many remarks the import has now. */
async function advance(
  manager: EntityManager,
  { lease, id }: ClaimedImport,
  { counts, rowsDone }: Progress,
): Promise<number> {
  const { added, changed, unchanged, deleted, refused, incomplete } = counts;
  const moves = [added, changed, unchanged, deleted, refused, incomplete];
  const values = [lease, id, rowsDone, ...moves];
  const [advanced] = await run<{ remarks: number }>(manager, { text: ADVANCE, values });
  if (advanced === undefined) {
    throw new LeaseLostError();
  }
  return advanced.remarks;
}

async function remark(
  manager: EntityManager,
  id: string,
  remarks: readonly ImportRemark[],
): Promise<void> {
  if (remarks.length > 0) {
    const values = [
      id,
      remarks.map(({ rowNumber }) => rowNumber),
      remarks.map(({ path }) => path),
      remarks.map(({ line }) => line),
      remarks.map(({ isRefused }) => isRefused),
      remarks.map(({ reason }) => reason),
      remarks.map(({ excerpt }) => excerpt),
    ];
    await run(manager, { text: REMARK, values });
  }
}
