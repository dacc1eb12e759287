import ipaddr from 'ipaddr.js';

import type { Environment } from './environment.js';

/** Who may create an account; with an invitation it is possible in each mode (docs/decisions/0062). */
export type RegistrationMode =
  | 'open'
  /** Open until there is an account, closed afterwards. */
  | 'until-first-user'
  | 'invite'
  | 'closed';

/** As it is set; without a setting it is open where only this machine reaches the service, also not through a proxy. */
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

/** Names of the internet are not looked up: what they lead to may change. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  return ipaddr.isValid(name)
    ? ipaddr.process(name).range() === 'loopback'
    : name === 'localhost' || name.endsWith('.localhost');
}
