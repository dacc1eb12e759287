// Detects faults in Patroni logs that an operator fixes by a restart (docs/host/operating.md).

/** Only the newest lines show the present state. */
const LAST_LINES = 40;
/**
 * A standby without WAL logs this every five seconds, among six or seven lines. A standby that is catching up logs it
 * once or twice.
 */
const WAITS_FOR_WAL = /waiting for WAL to become available/;
const WAITS_IN_VAIN = 4;

const IS_AHEAD = /is behind recovery timeline/;
const REFUSALS = 3;

/** Appended to a log at a restart, so that earlier lines are out of sight. */
export const PAST = '\n'.repeat(LAST_LINES);

const saying = (log: string, pattern: RegExp): number =>
  log
    .split('\n')
    .slice(-LAST_LINES)
    .filter((line) => pattern.test(line)).length;

/** A command of patronictl that repairs a standby. */
export type Mend = 'restart' | 'reinit';

/**
 * Returns the repair for a standby that follows no server. Patroni may start a server before it knows the leader, and
 * never set what the server follows; such a server waits for WAL until a restart. A standby on a timeline that the
 * primary lacks must be reinitialized.
 */
export function mendOf(log: string): Mend | undefined {
  if (saying(log, IS_AHEAD) >= REFUSALS) {
    return 'reinit';
  }
  return saying(log, WAITS_FOR_WAL) >= WAITS_IN_VAIN ? 'restart' : undefined;
}
