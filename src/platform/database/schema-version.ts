import { type DataSource, type MigrationInterface } from 'typeorm';

import { installedVersion } from '../../lib/util/version.js';

/**
 * Matches the comment on TypeORM's table `migrations`, which contains the version of Satchel that last changed the
 * schema.
 */
const WRITTEN_BY = /^Last migrated by Satchel (\S+)$/;

const FIND = `
  SELECT obj_description(to_regclass('migrations'), 'pg_class') AS comment,
    to_regclass('migrations') IS NOT NULL AS "isMigrated"`;

interface Facts {
  readonly comment: string | null;
  readonly isMigrated: boolean;
}

/** A newer version of Satchel has changed the schema. The message contains both versions. */
export class NewerDatabaseError extends Error {}

export const migrationName = ({ name, constructor }: MigrationInterface): string =>
  name ?? constructor.name;

/** @throws NewerDatabaseError if the database has migrations that this version does not have */
export async function requireKnownSchema(dataSource: DataSource): Promise<void> {
  const { comment, isMigrated } = await factsOf(dataSource);
  if (!isMigrated) {
    return;
  }
  const known = new Set(dataSource.migrations.map(migrationName));
  const executed = await dataSource.query<{ name: string }[]>(
    'SELECT name FROM migrations ORDER BY timestamp, id',
  );
  const unknown = executed.map(({ name }) => name).filter((name) => !known.has(name));
  if (unknown.length > 0) {
    const [, version] = WRITTEN_BY.exec(comment ?? '') ?? [];
    const writer = version === undefined ? 'a newer version of Satchel' : `Satchel ${version}`;
    throw new NewerDatabaseError(
      `the database has a schema that this version does not know: it was last migrated by ${writer}, and ${whatToInstall(writer, unknown)}`,
    );
  }
}

/**
 * Returns the end of an error message about data of a newer version of Satchel. The text contains
 * the version that the operator must install.
 */
export const whatToInstall = (writer: string, unknown: readonly string[]): string =>
  `this is Satchel ${installedVersion()}, which lacks the migration ${unknown.join(', ')}: install ${writer}` +
  (writer.startsWith('Satchel') ? ' or a newer version' : '');

/** Stores the installed version in the database after migrations ran, or if the database has no stored version yet. */
export async function storeVersion(dataSource: DataSource, hasMigrated: boolean): Promise<void> {
  const { comment } = await factsOf(dataSource);
  if (hasMigrated || comment === null) {
    await dataSource.query(
      `COMMENT ON TABLE migrations IS 'Last migrated by Satchel ${installedVersion()}'`,
    );
  }
}

async function factsOf(dataSource: DataSource): Promise<Facts> {
  const [facts] = await dataSource.query<[Facts]>(FIND);
  return facts;
}
