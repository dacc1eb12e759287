import type { Request } from 'express';

/** What every call of the reading-list part carries (specification, "Authentication"). */
export interface Credentials {
  readonly consumerKey: string | undefined;
  readonly accessToken: string | undefined;
}

/** Reads the credentials from the body, else from the query (docs/decisions/0007); blank text is absent. */
export function credentialsOf({ body, query }: Request<unknown, unknown, unknown>): Credentials {
  const member = (name: string): string | undefined =>
    textMember(body, name) ?? textMember(query, name);
  return { consumerKey: member('consumer_key'), accessToken: member('access_token') };
}

function textMember(members: unknown, name: string): string | undefined {
  if (typeof members !== 'object' || members === null || !Object.hasOwn(members, name)) {
    return undefined;
  }
  const value: unknown = Object.getOwnPropertyDescriptor(members, name)?.value;
  return typeof value === 'string' && value !== '' ? value : undefined;
}
