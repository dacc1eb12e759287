import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';

import { ConfigError } from './config.errors.js';
import { Environment } from './environment.js';

export type Variables = Readonly<Record<string, string | undefined>>;

/** Reads the variables into an Environment; an empty one is not set. Throws a ConfigError that names every faulty one. */
export function checkedEnvironment(variables: Variables): Environment {
  const given = Object.entries(variables).filter(([, text]) => text !== undefined && text !== '');
  const environment = plainToInstance(Environment, Object.fromEntries(given), {
    exposeDefaultValues: true,
  });
  const faults = validateSync(environment).map(
    ({ property, constraints }) =>
      `${property}: ${Object.values(constraints ?? {})[0] ?? 'is wrong'}`,
  );
  if (isUnderTls(environment) && environment.TRUST_PROXY === undefined) {
    faults.push('TRUST_PROXY: is needed when PUBLIC_URL is https, since TLS ends at a proxy');
  }
  if (faults.length > 0) {
    throw new ConfigError(faults);
  }
  return environment;
}

const isUnderTls = ({ PUBLIC_URL = '' }: Environment): boolean =>
  URL.canParse(PUBLIC_URL) && new URL(PUBLIC_URL).protocol === 'https:';
