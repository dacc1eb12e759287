import { IsIn } from 'class-validator';

import { PictureSettings, pictureSettings, PictureVariables } from './picture-settings.js';

/** The environment variables for the checks of saved addresses. */
export abstract class LinkCheckVariables extends PictureVariables {
  @IsIn(['on', 'off'], { message: 'is on or off' })
  readonly CHECK_LINKS: 'on' | 'off' = 'off';
}

/** The settings for the checks of saved addresses. */
export abstract class LinkCheckSettings extends PictureSettings {
  /** True if the service checks every month whether the saved pages still exist. */
  abstract readonly checksLinks: boolean;
}

export const linkCheckSettings = (
  variables: LinkCheckVariables,
): Pick<LinkCheckSettings, keyof LinkCheckSettings> => ({
  ...pictureSettings(variables),
  checksLinks: variables.CHECK_LINKS === 'on',
});
