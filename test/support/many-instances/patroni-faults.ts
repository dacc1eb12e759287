// What the log of a Patroni shows of faults that an operator mends by a restart (docs/operating.md).

/** Each turn of a Patroni writes three lines where its key of the synchronous standby is an old one. */
const LAST_LINES = 40;
const REFUSED = /Synchronous replication key updated by someone else/;
/** A standby that gets no WAL says so every five seconds, among six or seven lines; one that catches up does so once or twice. */
const WAITS_FOR_WAL = /waiting for WAL to become available/;
const WAITS_IN_VAIN = 4;

const IS_AHEAD = /is behind recovery timeline/;
const REFUSALS = 3;

/** Written behind what was said before a restart. */
export const PAST = '\n'.repeat(LAST_LINES);

const saying = (log: string, pattern: RegExp): number =>
  log
    .split('\n')
    .slice(-LAST_LINES)
    .filter((line) => pattern.test(line)).length;

/**
 * Patroni before 3.1 may keep what etcd held before a rest that its machine took, and then makes no standby synchronous
 * until it is started again (github.com/patroni/patroni/issues/2779).
 */
export const keepsOldKey = (log: string): boolean => saying(log, REFUSED) > LAST_LINES / 4;

/** What the REST API of a Patroni is asked for. */
export interface Mend {
  readonly path: string;
  readonly body: string;
}

/**
 * What a standby needs that follows no server. Patroni may start a server before it knows who leads, and then never tell it
 * whom to follow: the server reads what it has, and waits for more until it is started again. Another one comes back with a
 * timeline that the primary server does not have, and has to be made anew.
 */
export function mendOf(log: string): Mend | undefined {
  if (saying(log, IS_AHEAD) >= REFUSALS) {
    return { path: 'reinitialize', body: '{"force":true}' };
  }
  return saying(log, WAITS_FOR_WAL) >= WAITS_IN_VAIN ? { path: 'restart', body: '{}' } : undefined;
}
