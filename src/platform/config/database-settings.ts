/** A pooler that has a session of the server for the length of a transaction, and whether it keeps prepared statements. */
export type TransactionPooler = 'transaction' | 'transaction-prepared';

/** How the database is reached (docs/decisions/0081). */
interface DatabaseSettings {
  readonly databaseUrl: string | undefined;
  readonly databasePooler: TransactionPooler | undefined;
  readonly databaseDirectUrl: string | undefined;
  readonly databasePoolSize: number;
  readonly databaseReplicaUrls: readonly string[];
}

/** The variables that it is read from. */
interface DatabaseVariables {
  readonly DATABASE_URL?: string;
  readonly DATABASE_POOLER: TransactionPooler | 'none';
  readonly DATABASE_DIRECT_URL?: string;
  readonly DATABASE_POOL_SIZE: number;
  readonly DATABASE_REPLICA_URLS?: string;
}

export const databaseSettings = (variables: DatabaseVariables): DatabaseSettings => ({
  databaseUrl: variables.DATABASE_URL,
  databasePooler: variables.DATABASE_POOLER === 'none' ? undefined : variables.DATABASE_POOLER,
  databaseDirectUrl: variables.DATABASE_DIRECT_URL,
  databasePoolSize: variables.DATABASE_POOL_SIZE,
  databaseReplicaUrls: replicaUrls(variables),
});

const replicaUrls = ({ DATABASE_REPLICA_URLS }: DatabaseVariables): readonly string[] =>
  DATABASE_REPLICA_URLS?.split(',').map((url) => url.trim()) ?? [];

/** What of these variables does not fit together. */
export const databaseErrors = (variables: DatabaseVariables): string[] => [
  ...poolerErrors(variables),
  ...replicaErrors(variables),
];

function poolerErrors(variables: DatabaseVariables): string[] {
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

function replicaErrors(variables: DatabaseVariables): string[] {
  const { DATABASE_URL, DATABASE_DIRECT_URL } = variables;
  const urls = replicaUrls(variables);
  if (urls.length > 0 && DATABASE_URL === undefined) {
    return ['DATABASE_REPLICA_URLS: needs DATABASE_URL; the embedded database has no replicas'];
  }
  const servers = [DATABASE_URL, DATABASE_DIRECT_URL];
  return new Set(urls).size < urls.length || urls.some((url) => servers.includes(url))
    ? ['DATABASE_REPLICA_URLS: names each replica once, and not the server of DATABASE_URL']
    : [];
}
