import { IsIn } from 'class-validator';

import { WholeNumber } from './environment.decorators.js';
import { SnapshotSettings, snapshotSettings, SnapshotVariables } from './snapshot-settings.js';

/** The environment variables for the pictures that are stored with articles. */
export abstract class PictureVariables extends SnapshotVariables {
  @IsIn(['on', 'off'], { message: 'is on or off' })
  readonly KEEP_PICTURES: 'on' | 'off' = 'off';

  @WholeNumber(1, 10_000_000)
  readonly KEEP_PICTURES_MAX_MB: number = 20_000;
}

/** The settings for the pictures that are stored with articles. */
export abstract class PictureSettings extends SnapshotSettings {
  /** True if the service fetches the pictures of each stored article, and stores them in the database. */
  abstract readonly keepsPictures: boolean;
  /** The maximum size of all stored pictures in megabytes. */
  abstract readonly keptPicturesMegabytes: number;
}

export const pictureSettings = (
  variables: PictureVariables,
): Pick<PictureSettings, keyof PictureSettings> => ({
  ...snapshotSettings(variables),
  keepsPictures: variables.KEEP_PICTURES === 'on',
  keptPicturesMegabytes: variables.KEEP_PICTURES_MAX_MB,
});
