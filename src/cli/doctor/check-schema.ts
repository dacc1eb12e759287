import type { Connection } from '../../platform/database/data-source.options.js';
import type { MigrationStatus } from '../../platform/database/migrator.js';
import { compareSchema } from '../../transfer/backup/required-schema.js';
import { failed, type Finding, ok, warning } from './finding.js';

/**
 * Checks that all migrations have run, and that the database schema is the same as after a restore.
 */
export async function checkSchema(
  direct: Connection,
  { executed, pending }: MigrationStatus,
): Promise<Finding> {
  const { differences, unknown } = await compareSchema(direct);
  if (differences.length > 0) {
    const remedy =
      pending.length > 0
        ? 'start the service, which repairs known differences'
        : 'no backup can be written until this is repaired';
    return failed('schema', `${differences.join('; ')}: ${remedy}`);
  }
  if (pending.length > 0) {
    const detail = `${pending.length} migrations are pending: start the service, or migrate run`;
    return warning('schema', detail);
  }
  return unknown === undefined
    ? ok('schema', `up to date, ${executed.length} migrations, as a restore creates it`)
    : warning('schema', `up to date, but not compared with what a restore requires: ${unknown}`);
}
