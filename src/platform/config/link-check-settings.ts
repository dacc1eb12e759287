import { IsIn } from 'class-validator';

import { SessionSettings, sessionSettings, SessionVariables } from './session-settings.js';

/** The environment variables for the checks of saved addresses. */
export abstract class LinkCheckVariables extends SessionVariables {
  @IsIn(['on', 'off'], { message: 'is on or off' })
  readonly CHECK_LINKS: 'on' | 'off' = 'off';
}

/** The settings for the checks of saved addresses. */
export abstract class LinkCheckSettings extends SessionSettings {
  /** True if the service checks every month whether the saved pages still exist. */
  abstract readonly checksLinks: boolean;
}

export const linkCheckSettings = (
  variables: LinkCheckVariables,
): Pick<LinkCheckSettings, keyof LinkCheckSettings> => ({
  ...sessionSettings(variables),
  checksLinks: variables.CHECK_LINKS === 'on',
});
