import { textOf } from '../../platform/common/request-fields.js';

/** What an application has put into the address that it opened: it is carried along while a person logs in. */
export interface AuthorizationLink {
  readonly requestToken: string;
  readonly redirectUri: string | undefined;
}

/** Undefined where no application is waiting. */
export function linkIn(fields: unknown): AuthorizationLink | undefined {
  const requestToken = textOf(fields, 'request_token');
  return requestToken === ''
    ? undefined
    : { requestToken, redirectUri: textOf(fields, 'redirect_uri') || undefined };
}

/** A path of this service with the link as its query: nowhere else can be meant. */
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
