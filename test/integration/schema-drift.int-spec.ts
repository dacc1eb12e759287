import { DataSource } from 'typeorm';

import { dataSourceOptions } from '../../src/database/data-source.options.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

/** The statements that would make the schema what the entities say. */
async function drift({ connection }: TestDatabase): Promise<string[]> {
  const dataSource = await new DataSource(dataSourceOptions(connection, 2)).initialize();
  try {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    return upQueries.map(({ query }) => query);
  } finally {
    await dataSource.destroy();
  }
}

/** Each of these would stand for a migration that nobody wrote. */
const CHANGES = [
  'ALTER TABLE users ADD COLUMN nickname text',
  'ALTER TABLE users DROP COLUMN name',
  'ALTER TABLE users ALTER COLUMN email DROP NOT NULL',
  'ALTER TABLE users ALTER COLUMN session_epoch TYPE bigint',
  'ALTER TABLE users ALTER COLUMN created_at DROP DEFAULT',
  'ALTER TABLE users DROP CONSTRAINT users_email_key',
  'ALTER TABLE refresh_tokens DROP CONSTRAINT refresh_tokens_user_id_fkey',
  'ALTER TABLE consumer_keys DROP CONSTRAINT consumer_keys_dialect_check',
  'DROP INDEX rotated_refresh_tokens_user_id_idx',
  'DROP TABLE throttle_counters',
];

describe('the entities', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await aDatabase();
  });
  afterAll(() => database.drop());

  it('agree with the schema that the migrations make', async () => {
    expect(await drift(database)).toEqual([]);
  });

  it('no longer do after any change of the schema', async () => {
    const unseen: string[] = [];
    let known = (await drift(database)).length;

    for (const change of CHANGES) {
      await database.query(change);
      const found = (await drift(database)).length;
      unseen.push(...(found > known ? [] : [change]));
      known = found;
    }

    expect(unseen).toEqual([]);
  });
});
