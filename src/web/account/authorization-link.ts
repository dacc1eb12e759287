import { textOf } from '../../platform/common/request-fields.js';

/** The parameters of the address that an application opened. Pages carry them along while a person logs in. */
export interface AuthorizationLink {
  readonly requestToken: string;
  readonly redirectUri: string | undefined;
}

/** Returns undefined if no application is waiting. */
export function linkIn(fields: unknown): AuthorizationLink | undefined {
  const requestToken = textOf(fields, 'request_token');
  return requestToken === ''
    ? undefined
    : { requestToken, redirectUri: textOf(fields, 'redirect_uri') || undefined };
}

/** Returns a path of this service with the link as its query. The link cannot point to any other place. */
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
