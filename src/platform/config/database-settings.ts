/**
 * The mode of a connection pooler. In both modes, each transaction may run in another database
 * session. In the mode `transaction-prepared`, prepared statements work in every session.
 */
export type TransactionPooler = 'transaction' | 'transaction-prepared';

/** The settings for connections to the database (docs/decisions/0081). */
interface DatabaseSettings {
  readonly databaseUrl: string | undefined;
  readonly databasePooler: TransactionPooler | undefined;
  readonly databaseDirectUrl: string | undefined;
  readonly databasePoolSize: number;
}

/** The environment variables for connections to the database. */
interface DatabaseVariables {
  readonly DATABASE_URL?: string;
  readonly DATABASE_POOLER: TransactionPooler | 'none';
  readonly DATABASE_DIRECT_URL?: string;
  readonly DATABASE_POOL_SIZE: number;
}

export const databaseSettings = (variables: DatabaseVariables): DatabaseSettings => ({
  databaseUrl: variables.DATABASE_URL,
  databasePooler: variables.DATABASE_POOLER === 'none' ? undefined : variables.DATABASE_POOLER,
  databaseDirectUrl: variables.DATABASE_DIRECT_URL,
  databasePoolSize: variables.DATABASE_POOL_SIZE,
});

/** Returns error messages for database variables that are missing or contradict each other. */
export function databaseErrors(variables: DatabaseVariables): string[] {
  const { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_POOLER } = variables;
  if (DATABASE_POOLER === 'none') {
    return [];
  }
  return [
    ...(DATABASE_URL === undefined
      ? ['DATABASE_POOLER: needs DATABASE_URL, which leads to the pooler']
      : []),
    ...(DATABASE_DIRECT_URL === undefined
      ? [
          'DATABASE_DIRECT_URL: is needed with DATABASE_POOLER; it leads past the pooler, for migrations, backups and checks',
        ]
      : []),
  ];
}
