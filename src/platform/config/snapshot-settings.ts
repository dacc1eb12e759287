import { WholeNumber } from './environment.decorators.js';
import { SessionSettings, sessionSettings, SessionVariables } from './session-settings.js';

const MEGABYTE = 1_000_000;

/** The environment variables for snapshots of pages. */
export abstract class SnapshotVariables extends SessionVariables {
  // The body of a call of /v3/snapshot has at most 12 MiB (V3_ENDPOINTS).
  @WholeNumber(0, 10)
  readonly SNAPSHOT_MAX_MB: number = 10;
}

/** The settings for snapshots of pages. */
export abstract class SnapshotSettings extends SessionSettings {
  /** The maximum size of the HTML of a snapshot in bytes, before it is compressed. 0 means that no snapshot is stored. */
  abstract readonly snapshotLimitBytes: number;
}

export const snapshotSettings = (
  variables: SnapshotVariables,
): Pick<SnapshotSettings, keyof SnapshotSettings> => ({
  ...sessionSettings(variables),
  snapshotLimitBytes: variables.SNAPSHOT_MAX_MB * MEGABYTE,
});
