/** uploading: the file comes in. waiting, running: the rest goes on by itself. The others are ends. */
export type ImportState = 'uploading' | 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';

/** What became of the rows of a file so far. */
export interface ImportCounts {
  readonly added: number;
  readonly changed: number;
  /** Already in the list; the person's own changes stay. */
  readonly unchanged: number;
  /** Not brought back, as the person has deleted them. */
  readonly deleted: number;
  readonly refused: number;
  /** Of those that were taken: not everything that the row says has a place in the list. */
  readonly incomplete: number;
}

/** The counts alone, of whatever has them. */
export const countsOf = ({
  added,
  changed,
  unchanged,
  deleted,
  refused,
  incomplete,
}: ImportCounts): ImportCounts => ({ added, changed, unchanged, deleted, refused, incomplete });

/** An import of a file, which runs in the background and is kept for some weeks after. */
export interface ImportJob extends ImportCounts {
  /** Decimal text. */
  readonly id: string;
  readonly userId: string;
  readonly fileName: string;
  readonly restoresDeleted: boolean;
  readonly state: ImportState;
  /** Undefined until the file has been looked at. */
  readonly format: string | undefined;
  readonly rowCount: number | undefined;
  readonly rowsDone: number;
  /** Why it failed, in words for the person. */
  readonly failure: string | undefined;
  readonly createdAt: Date;
  readonly finishedAt: Date | undefined;
}

/** A job that is being run; nobody else has the lease. */
export interface ClaimedImport extends ImportJob {
  readonly lease: string;
  /** How many times in a row it has been begun without getting further. */
  readonly attempts: number;
  /** How many times in a row what read the file has ended, a thread or its process, without getting further. */
  readonly readersEnded: number;
}

/** A row that was refused, or of which something was left out. */
export interface ImportRemark {
  readonly rowNumber: number;
  readonly path: string;
  readonly line: number;
  readonly isRefused: boolean;
  readonly reason: string;
  /** The beginning of what stands there. */
  readonly excerpt: string;
}
