import { textOf } from '../../platform/common/request-fields.js';

/**
 * The parameters of the address that an application opened to ask for access. The login pages pass these parameters on
 * until the person has logged in.
 */
export interface AuthorizationLink {
  readonly requestToken: string;
  readonly redirectUri: string | undefined;
}

/**
 * Reads the parameters of an application's request from a form or a query. Returns undefined if there is no such
 * request.
 */
export function linkIn(fields: unknown): AuthorizationLink | undefined {
  const requestToken = textOf(fields, 'request_token');
  return requestToken === ''
    ? undefined
    : { requestToken, redirectUri: textOf(fields, 'redirect_uri') || undefined };
}

/**
 * Adds the parameters of an application's request to a path of this service. The result is always an address of this
 * service.
 */
export function pathWith(
  path: '/auth/authorize' | '/auth/login' | '/auth/oidc/start' | '/auth/register',
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
