/** A queue in the database, and the statement that reads its depth and the age of its oldest entry. */
export interface QueueStatement {
  /** The name of the queue in the metrics. */
  readonly queue: string;
  readonly text: string;
}

/** The state of a queue: the columns of a `QueueStatement`. */
export interface QueueState {
  /** The number of entries that can be processed now. It is counted up to `MOST_COUNTED`. */
  readonly depth: number;
  /** The time in seconds since the oldest entry could be processed. Null if the queue is empty, or stores no times. */
  readonly oldestSeconds: number | null;
}

/** The entries of a large queue are counted only up to this number, so that a scrape costs little. */
const MOST_COUNTED = 100_000;

interface QueueRows {
  readonly queue: string;
  /** The table and the condition of the entries, such as `imports WHERE finished_at IS NULL`. */
  readonly rows: string;
  /** A scalar query for the time of the oldest entry. It must use an index. */
  readonly oldest?: string;
}

export const queueStatement = ({
  queue,
  rows,
  oldest = 'NULL::timestamptz',
}: QueueRows): QueueStatement => ({
  queue,
  text: `
    SELECT (SELECT count(*)::integer FROM (SELECT FROM ${rows} LIMIT ${MOST_COUNTED}) AS entry) AS depth,
      extract(epoch FROM now() - (${oldest}))::float8 AS "oldestSeconds"`,
});
