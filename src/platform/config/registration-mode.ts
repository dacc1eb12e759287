import ipaddr from 'ipaddr.js';

import type { Config } from './config.js';
import type { Environment } from './environment.js';

/** The registration mode decides who may create an account. An invitation works in every mode (docs/decisions/0062). */
export type RegistrationMode =
  | 'open'
  /** Anyone may create the first account. After the first account, registration is closed. */
  | 'until-first-user'
  | 'invite'
  | 'closed';

/** The settings that show from where the service can be reached. */
export type Reach = Pick<Config, 'host' | 'publicUrl' | 'trustProxy'>;

/**
 * Returns the value of REGISTRATION. The default is `open` if only this machine can reach the
 * service, or otherwise `until-first-user`.
 */
export const registrationMode = (
  { REGISTRATION }: Pick<Environment, 'REGISTRATION'>,
  reach: Reach,
): RegistrationMode => REGISTRATION ?? (isOnlyForThisMachine(reach) ? 'open' : 'until-first-user');

/** Returns true if the service listens only on a loopback address, and no setting names a proxy or a public address. */
export const isOnlyForThisMachine = ({ host, publicUrl, trustProxy }: Reach): boolean =>
  isLoopback(host) &&
  (publicUrl === undefined ? trustProxy === false : isLoopback(publicUrl.hostname));

/** Returns true if the host is this machine. Does not look up host names, because their addresses may change. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  return ipaddr.isValid(name)
    ? ipaddr.process(name).range() === 'loopback'
    : name === 'localhost' || name.endsWith('.localhost');
}
