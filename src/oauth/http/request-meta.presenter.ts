import type { Authorization } from '../authorization.js';

/** The answer of request_meta: all of it text, so that a form says the same as JSON. */
export interface WireMeta {
  /** "1" while a person may answer. */
  readonly is_valid: string;
  /** "1" once the code was exchanged. */
  readonly has_access_token: string;
  readonly app_name: string;
  readonly app_description: string;
  readonly app_icon: string;
  /** Names with commas between. */
  readonly permission: string;
}

const flag = (is: boolean): string => (is ? '1' : '0');

/** What is said of a code that nobody was given. */
export const NOBODYS: WireMeta & Record<string, string> = {
  ...{ is_valid: '0', has_access_token: '0', app_name: '' },
  ...{ app_description: '', app_icon: '', permission: '' },
};

export const presentMeta = (found: Authorization | undefined): WireMeta & Record<string, string> =>
  found === undefined
    ? NOBODYS
    : {
        ...NOBODYS,
        is_valid: flag(found.standing === 'open'),
        has_access_token: flag(found.standing === 'used'),
        app_name: found.application.name,
        permission: found.application.permissions.join(','),
      };
