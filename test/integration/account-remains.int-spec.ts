import { DataSource } from 'typeorm';

import { UserRepository } from '../../src/auth/user.repository.js';
import { dataSourceOptions } from '../support/data-source-options.js';
import { FilledTables } from '../support/filled-tables.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

/** Pictures belong to pages. Those in no page are deleted later: kept-pictures.int-spec.ts. */
const OF_NO_USER: ReadonlySet<string> = new Set(['users', 'pictures']);

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await aDatabase();
  dataSource = await new DataSource(dataSourceOptions(database.connection, 2)).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

async function aUser(name: string): Promise<string> {
  const [user] = await database.query<{ id: string }>(
    `INSERT INTO users (name, email, password_hash) VALUES ($1, $1 || '@example.com', '') RETURNING id`,
    [name],
  );
  return user!.id;
}

it('a deleted account leaves no row in any table, and all rows of other accounts', async () => {
  const tables = await FilledTables.of(database);
  const [ada, bob] = [await aUser('ada'), await aUser('bob')];
  const [ofAda, ofBob] = [await tables.fill(ada), await tables.fill(bob)];
  const [had, hadBob] = [await tables.naming(ada, ofAda), await tables.naming(bob, ofBob)];
  expect(Object.keys(had)).toEqual(
    [...ofAda.keys()].filter((one) => !OF_NO_USER.has(one)).toSorted(),
  );

  await dataSource.transaction((manager) => UserRepository.in(manager).deleteAccount(ada));

  expect(await tables.naming(ada, ofAda)).toEqual({});
  expect(await tables.naming(bob, ofBob)).toEqual(hadBob);
});
