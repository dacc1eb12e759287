import type { TransactionPooler } from '../../src/platform/config/database-settings.js';

interface Pooler {
  readonly url: string;
  readonly pooler: TransactionPooler;
}

const poolers = new Map<string, Pooler>();

/** Commands and services that are told to use that database go through the pooler from here on. */
export function rememberPooler(databaseUrl: string, pooler: Pooler): void {
  poolers.set(databaseUrl, pooler);
}

/** The variables of a process, with the pooler of its database where it has one. */
export function throughPooler<T extends Readonly<Record<string, string | undefined>>>(
  variables: T,
): T {
  const { DATABASE_URL = '' } = variables;
  const pooled = poolers.get(DATABASE_URL);
  return pooled === undefined
    ? variables
    : {
        ...variables,
        DATABASE_URL: pooled.url,
        DATABASE_DIRECT_URL: DATABASE_URL,
        DATABASE_POOLER: pooled.pooler,
      };
}
