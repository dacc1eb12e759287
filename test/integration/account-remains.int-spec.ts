import { DataSource } from 'typeorm';

import { UserRepository } from '../../src/auth/user.repository.js';
import { throttleKey } from '../../src/platform/throttling/throttle.guard.js';
import { dataSourceOptions } from '../support/data-source-options.js';
import { FilledTables } from '../support/filled-tables.js';
import { rowsWithText } from '../support/rows-with-text.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

/** Pictures belong to pages. Those in no page are deleted later: kept-pictures.int-spec.ts. */
const OF_NO_USER: ReadonlySet<string> = new Set(['users', 'pictures']);

/** Tables in which a text about a deleted user may remain, and the reasons. */
const MAY_REMAIN: Readonly<Record<string, string>> = {
  pictures: 'Pictures belong to pages, not to users.',
  security_mails: 'The mail about the deletion needs the address. It is deleted after seven days.',
  throttle_counters:
    'They contain hashes, and are deleted after their period. Otherwise, a new account would reset the limits of mails to an address.',
};

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

/** Ids with digits that are in no other text. */
const ADA = { id: '7301530917', email: 'ada.lovelace@example.com', name: 'Ada Lovelace' };
const BOB = { id: '7301530918', email: 'bob.babbage@example.com', name: 'Bob Babbage' };

async function aUser({ id, name, email }: typeof ADA): Promise<string> {
  await database.query(
    `INSERT INTO users (id, name, email, password_hash) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, '')`,
    [id, name, email],
  );
  return id;
}

/** Stores rows that have no column for the id of the user, but a text about the user. */
async function fillTexts(user: typeof ADA): Promise<void> {
  for (const key of [`user:${user.id}`, `sync:${user.id}`]) {
    await database.query(
      `INSERT INTO call_counters (key, allowed, taken, lease, ends_at) VALUES ($1, 9, 1, 1, now())`,
      [key],
    );
  }
  for (const tracker of [user.id, user.email]) {
    await database.query(
      'INSERT INTO throttle_counters (key, hits, expires_at) VALUES ($1, 1, now())',
      [throttleKey('login-account', tracker)],
    );
  }
  await database.query(
    `INSERT INTO one_time_links (token_hash, purpose, email, expires_at)
      VALUES (sha256($1::text::bytea), 'invitation', $1::text, now())`,
    [user.email],
  );
}

it('a deleted account leaves no row in any table, and all rows of other accounts', async () => {
  const tables = await FilledTables.of(database);
  const [ada, bob] = [await aUser(ADA), await aUser(BOB)];
  const [ofAda, ofBob] = [await tables.fill(ada), await tables.fill(bob)];
  await fillTexts(ADA);
  await fillTexts(BOB);
  const textsOfBob = await rowsWithText(database, BOB);
  const [had, hadBob] = [await tables.naming(ada, ofAda), await tables.naming(bob, ofBob)];
  expect(Object.keys(had)).toEqual(
    [...ofAda.keys()].filter((one) => !OF_NO_USER.has(one)).toSorted(),
  );

  await dataSource.transaction((manager) => UserRepository.in(manager).deleteAccount(ada));

  expect(await tables.naming(ada, ofAda)).toEqual({});
  const texts = await rowsWithText(database, ADA);
  expect(Object.keys(texts)).toEqual(Object.keys(MAY_REMAIN));
  expect(await tables.naming(bob, ofBob)).toEqual(hadBob);
  expect(await rowsWithText(database, BOB)).toEqual(textsOfBob);
});
