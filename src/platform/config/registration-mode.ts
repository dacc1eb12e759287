import ipaddr from 'ipaddr.js';

import type { Environment } from './environment.js';

/** The registration mode decides who may create an account. An invitation works in every mode (docs/decisions/0062). */
export type RegistrationMode =
  | 'open'
  /** Anyone may create the first account. After the first account, registration is closed. */
  | 'until-first-user'
  | 'invite'
  | 'closed';

/**
 * Returns the value of REGISTRATION. The default is `open` if only this machine can reach the
 * service, or otherwise `until-first-user`.
 */
export function registrationMode({
  REGISTRATION,
  HOST,
  PUBLIC_URL,
  TRUST_PROXY,
}: Pick<Environment, 'HOST' | 'PUBLIC_URL' | 'REGISTRATION' | 'TRUST_PROXY'>): RegistrationMode {
  const isLocal =
    isLoopback(HOST) &&
    (PUBLIC_URL === undefined
      ? TRUST_PROXY === undefined
      : isLoopback(new URL(PUBLIC_URL).hostname));
  return REGISTRATION ?? (isLocal ? 'open' : 'until-first-user');
}

/** Returns true if the host is this machine. Does not look up host names, because their addresses may change. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  return ipaddr.isValid(name)
    ? ipaddr.process(name).range() === 'loopback'
    : name === 'localhost' || name.endsWith('.localhost');
}
