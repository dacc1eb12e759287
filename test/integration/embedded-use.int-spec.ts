import { randomBytes } from 'node:crypto';

import type { EmbeddedConnection } from '../../src/lib/embedded-postgres/connection.js';
import { findUse } from '../../src/lib/embedded-postgres/locks.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

let database: TestDatabase;
const role = `satchel_${randomBytes(6).toString('hex')}`;

beforeAll(async () => {
  database = await aDatabase({ isEmpty: true });
  await database.query(`CREATE ROLE ${role} LOGIN CONNECTION LIMIT 0`);
});
afterAll(async () => {
  await database.query(`DROP ROLE ${role}`);
  await database.drop();
});

const connection = (): EmbeddedConnection => {
  const { hostname, port, searchParams } = new URL(database.url);
  const host = searchParams.get('host') ?? hostname;
  return { host, port: Number(port), username: role, database: 'postgres' };
};

describe('findUse returns unknown if the server', () => {
  it('has no connection left', async () => {
    expect(await findUse(connection())).toBe('unknown');
  });

  it('cannot be reached', async () => {
    expect(await findUse({ ...connection(), host: '127.0.0.1', port: 1 })).toBe('unknown');
  });
});
