import { textOf } from '../../platform/common/request-fields.js';

/**
 * The parameters of the address that an application opens in a browser to ask a user for access. The login pages pass
 * these parameters on until the user has logged in.
 */
export interface AuthorizationLink {
  readonly requestToken: string;
  readonly redirectUri: string | undefined;
}

/**
 * Reads the parameters of an application's request for access from a form or a query. Returns undefined if the form or
 * query contains no such request.
 */
export function linkIn(fields: unknown): AuthorizationLink | undefined {
  const requestToken = textOf(fields, 'request_token');
  return requestToken === ''
    ? undefined
    : { requestToken, redirectUri: textOf(fields, 'redirect_uri') || undefined };
}

/** The pages that pass on the page to open after a login. */
export type OnwardPath =
  | `/auth/${'confirm' | 'login' | 'oidc/confirm' | 'oidc/start' | 'register' | 'second-factor'}`
  | '/account/second-factor'
  | '/account/passkeys/new';

/** Adds the parameters of an application's request for access to the query of a path of this service. */
export function pathWith(
  path: '/auth/authorize' | OnwardPath,
  link: AuthorizationLink | undefined,
): string {
  if (link === undefined) {
    return path;
  }
  const { requestToken, redirectUri } = link;
  const query = new URLSearchParams({
    request_token: requestToken,
    ...(redirectUri !== undefined && { redirect_uri: redirectUri }),
  });
  return `${path}?${query.toString()}`;
}
