import type { Response } from 'express';
import type { SchemaObject } from 'openapi3-ts/oas31';

import { Answer } from '../../../platform/http/answer.js';
import { type Reader, textReader } from '../../../pocket-api/param-readers.js';
import { CustomParam, TextParam } from '../../../pocket-api/params.js';
import { sendForm, sendV3 } from '../../../pocket-api/v3-responses.js';
import type { Authorization } from '../authorizations.service.js';
import type { GrantedAccess } from '../request-codes.service.js';

const MAX_LENGTH = 2000;

const readText = textReader({ max: MAX_LENGTH });

/** Reads the parameter `state`. Ignores an object, because some clients send `{}` if they have no state. */
const readState: Reader<string | undefined> = (value) =>
  typeof value === 'object' ? undefined : readText(value);

/** Reads the parameter `redirect_uri`. Ignores an array. */
const readRedirectUri: Reader<string | undefined> = (value) =>
  Array.isArray(value) ? undefined : readText(value);

const REDIRECT_URI: SchemaObject = {
  type: ['string', 'number', 'array'],
  maxLength: MAX_LENGTH,
};

/** The parameters of `/v3/oauth/request`, except the consumer key. */
export class RequestCodeRequest {
  @CustomParam(readRedirectUri, {
    ...REDIRECT_URI,
    description:
      'The address that the browser opens after the user has answered. The address can have any scheme, except schemes that run code or open local resources, such as `javascript:` and `data:`. With text that is not an absolute URL (`not_needed`, `/`), the browser stays on a page that shows the answer of the user. An array counts as missing.',
  })
  redirect_uri?: string;

  @CustomParam(readState, {
    type: ['string', 'number', 'object'],
    maxLength: MAX_LENGTH,
    description:
      'Text that the answer returns unchanged. The service accepts and ignores an object.',
  })
  state?: string;
}

/** The parameters of `/v3/oauth/authorize`, except the consumer key. */
export class ExchangeRequest {
  @TextParam({ max: MAX_LENGTH }, { description: 'The code of `/v3/oauth/request`.' })
  code?: string;

  @CustomParam(readRedirectUri, {
    ...REDIRECT_URI,
    description:
      'Optional. If the `redirect_uri` of the code request has an origin, this address must have the same origin.',
  })
  redirect_uri?: string;
}

/** The parameters of `/v3/oauth/request_meta`, except the consumer key. */
export class MetaRequest {
  @TextParam(
    { max: MAX_LENGTH },
    { description: 'A code of `/v3/oauth/request`, from any application.' },
  )
  request_token?: string;
}

/** The response of `/v3/oauth/request`. */
export interface CodeResponse {
  readonly code: string;
  readonly state?: string;
}

/** The response of `/v3/oauth/authorize`. */
export interface AccessResponse {
  readonly access_token: string;
  readonly username: string;
  readonly state?: string;
}

export const presentCode = (code: string, state: string | undefined): CodeResponse => ({
  code,
  ...(state !== undefined && { state }),
});

export const presentAccess = ({ accessToken, username, state }: GrantedAccess): AccessResponse => ({
  access_token: accessToken,
  username,
  ...(state !== undefined && { state }),
});

/** A URL-encoded response. If the request header `X-Accept` contains `json`, the response is JSON instead. */
export class OAuthAnswer extends Answer {
  constructor(
    private readonly fields: Readonly<Record<string, string>> | CodeResponse | AccessResponse,
  ) {
    super();
  }

  override sendTo(response: Response): void {
    if (/json/i.test(String(response.req.headers['x-accept']))) {
      sendV3(response, 200, this.fields);
    } else {
      sendForm(response, { ...this.fields });
    }
  }
}

/**
 * The response of `/v3/oauth/request_meta`. All fields are strings, because the response may be URL-encoded instead of
 * JSON.
 */
export interface MetaResponse {
  /** "1" while the user can still authorize or reject the request, else "0". */
  readonly is_valid: string;
  /** "1" if the application has exchanged the code for an access token, else "0". */
  readonly has_access_token: string;
  readonly app_name: string;
  readonly app_description: string;
  readonly app_icon: string;
  /** The names of the application's permissions, separated by commas. */
  readonly permission: string;
}

const flag = (is: boolean): string => (is ? '1' : '0');

/** The response of `/v3/oauth/request_meta` for an unknown code. */
export const UNKNOWN_CODE: MetaResponse & Record<string, string> = {
  is_valid: '0',
  has_access_token: '0',
  app_name: '',
  app_description: '',
  app_icon: '',
  permission: '',
};

export const presentMeta = (
  found: Authorization | undefined,
): MetaResponse & Record<string, string> =>
  found === undefined
    ? UNKNOWN_CODE
    : {
        ...UNKNOWN_CODE,
        is_valid: flag(found.status === 'open'),
        has_access_token: flag(found.status === 'used'),
        app_name: found.application.name,
        permission: found.application.permissions.join(','),
      };
