import { PipeliningClient } from '../../src/database/pipelining-client.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

let testDatabase: TestDatabase;
let client: PipeliningClient;

beforeAll(async () => {
  testDatabase = await aDatabase();
  await testDatabase.query('CREATE TABLE words (word text)');
});
beforeEach(async () => {
  client = new PipeliningClient({ connectionString: testDatabase.connection.url });
  await client.connect();
});
afterEach(() => client.end());
afterAll(() => testDatabase.drop());

const words = (): Promise<object[]> => testDatabase.query('SELECT word FROM words');

it('nobody waits for the beginning of a transaction, which is one all the same', async () => {
  const order: string[] = [];
  const before = client.query('SELECT pg_sleep(0.2)').then(() => order.push('before'));

  await client.query('START TRANSACTION');
  order.push('begun');
  await Promise.all([before, client.query(`INSERT INTO words VALUES ('one')`)]);
  await client.query('ROLLBACK');

  expect(order).toEqual(['begun', 'before']);
  expect(await words()).toEqual([]);
});

it('a beginning that is refused ends the connection, and nothing is written', async () => {
  await client.query('BEGIN');
  await expect(client.query('SELECT 1 / 0')).rejects.toThrow('division by zero');

  await client.query('START TRANSACTION');

  const ended = new Promise((resolve) => client.once('end', resolve));
  await expect(client.query(`INSERT INTO words VALUES ('two')`)).rejects.toThrow();
  await ended;
  await expect(client.query('SELECT 1')).rejects.toThrow();
  expect(await words()).toEqual([]);
});
