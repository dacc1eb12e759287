import type { TransactionPooler } from '../../src/platform/config/database-settings.js';

interface Pooler {
  readonly url: string;
  readonly pooler: TransactionPooler;
}

const poolers = new Map<string, Pooler>();

/** Routes commands and services for this database through the pooler from now on. */
export function rememberPooler(databaseUrl: string, pooler: Pooler): void {
  poolers.set(databaseUrl, pooler);
}

/** Returns the variables of a process. If its database has a pooler, DATABASE_URL points to the pooler. */
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
