import { Test } from '@nestjs/testing';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

import { LinkPurpose, OneTimeLink } from '../../src/auth/entities/one-time-link.entity.js';
import { OneTimeLinks } from '../../src/auth/links/one-time-links.js';
import { hashOf, newOpaqueToken } from '../../src/auth/opaque-token.js';
import { dataSourceOptions } from '../support/data-source-options.js';
import { until } from '../support/processes.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

const { Invitation, PasswordReset } = LinkPurpose;
const DAY = 86_400;
const WAITING = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

let database: TestDatabase;
let dataSource: DataSource;
let links: OneTimeLinks;
let close: () => Promise<void>;

beforeAll(async () => {
  database = await aDatabase();
  const module = await Test.createTestingModule({
    imports: [
      TypeOrmModule.forRoot(dataSourceOptions(database.connection, 4)),
      TypeOrmModule.forFeature([OneTimeLink]),
    ],
    providers: [OneTimeLinks],
  }).compile();
  dataSource = module.get(DataSource);
  links = module.get(OneTimeLinks);
  close = () => module.close();
});
afterAll(async () => {
  await close();
  await database.drop();
});

let people = 0;
async function aUser(): Promise<string> {
  const [row] = await database.query<{ id: string }>(
    `INSERT INTO users (name, email, password_hash) VALUES ('Ada', $1, '') RETURNING id`,
    [`ada${(people += 1)}@example.com`],
  );
  return row?.id ?? '';
}

const expire = (): Promise<unknown> =>
  database.query(`UPDATE one_time_links SET expires_at = now() - interval '1 second'`);
const use = (purpose: LinkPurpose, token: string) =>
  dataSource.transaction((manager) => links.use(manager, purpose, token));
const rows = () => database.query<{ token_hash: Buffer }>('SELECT * FROM one_time_links');

describe('a one-time link', () => {
  it('returns its data until it is used', async () => {
    const [userId, createdBy] = [await aUser(), await aUser()];
    const facts = { userId, createdBy, email: 'ada@example.com' };
    const token = await links.make({ purpose: PasswordReset, ...facts, ttlSeconds: DAY });

    expect(await links.find(PasswordReset, token)).toMatchObject(facts);
    expect(await links.find(PasswordReset, token)).toMatchObject(facts);
    expect(await use(PasswordReset, token)).toMatchObject(facts);
    expect(await links.find(PasswordReset, token)).toBeUndefined();
    expect(await use(PasswordReset, token)).toBeUndefined();
  });

  it('is stored without its token', async () => {
    const token = await links.make({ purpose: Invitation, ttlSeconds: DAY });

    expect(JSON.stringify(await rows())).not.toContain(token);
  });

  it('has a token with 128 random bits', async () => {
    const make = () => links.make({ purpose: Invitation, ttlSeconds: DAY });
    const tokens = [await make(), await make(), await make()];

    expect(tokens.filter((token) => !/^[0-9a-f]{32}$/.test(token))).toEqual([]);
    expect(new Set(tokens).size).toBe(3);
  });

  it('still works with the shorter token of an earlier version', async () => {
    const token = newOpaqueToken();
    await database.query(
      `INSERT INTO one_time_links (token_hash, purpose, expires_at) VALUES ($1, $2, now() + interval '1 day')`,
      [hashOf(token), Invitation],
    );

    expect(await links.find(Invitation, token)).toMatchObject({ purpose: Invitation });
    expect(await use(Invitation, token)).toMatchObject({ purpose: Invitation });
  });

  it('works for one purpose only', async () => {
    const token = await links.make({ purpose: Invitation, ttlSeconds: DAY });

    expect(await links.find(PasswordReset, token)).toBeUndefined();
    expect(await use(PasswordReset, token)).toBeUndefined();
    expect(await use(Invitation, token)).toMatchObject({
      userId: null,
      email: null,
      createdBy: null,
    });
  });

  it.each(['', 'x', '%', "'", '0'.repeat(100), '0'.repeat(32), '00000000-0000-0000-0000-000000'])(
    'is not found by the token %j',
    async (token) => {
      expect(await links.find(Invitation, token)).toBeUndefined();
      expect(await use(Invitation, token)).toBeUndefined();
    },
  );

  it('is used by the first of two concurrent requests', async () => {
    const token = await links.make({ purpose: Invitation, ttlSeconds: DAY });
    const isWaiting = async () => (await database.query(WAITING)).length > 0;
    let second: ReturnType<typeof use> | undefined;

    const first = await dataSource.transaction(async (manager) => {
      const used = await links.use(manager, Invitation, token);
      second = use(Invitation, token);
      await until(isWaiting, 'the second use');
      return used;
    });

    expect([first?.purpose, await second]).toEqual([Invitation, undefined]);
  });

  it('can be used again after the transaction is rolled back', async () => {
    const token = await links.make({ purpose: Invitation, ttlSeconds: DAY });

    await expect(
      dataSource.transaction(async (manager) => {
        await links.use(manager, Invitation, token);
        throw new Error('the account cannot be made');
      }),
    ).rejects.toThrow('the account cannot be made');

    expect(await use(Invitation, token)).toBeDefined();
  });

  it('does not work after it expires, and is then deleted', async () => {
    const token = await links.make({ purpose: Invitation, ttlSeconds: DAY });
    await expire();
    const later = await links.make({ purpose: Invitation, ttlSeconds: DAY });

    expect(await links.find(Invitation, token)).toBeUndefined();
    expect(await use(Invitation, token)).toBeUndefined();
    expect(await links.list(Invitation)).toHaveLength(1);
    await links.sweep();
    expect(await rows()).toHaveLength(1);
    expect(await links.find(Invitation, later)).toBeDefined();
  });

  it('is deleted for a user and purpose, with its user, and by its hash', async () => {
    await database.query('DELETE FROM one_time_links');
    const [ada, bob] = [await aUser(), await aUser()];
    const make = (userId: string, purpose: LinkPurpose) =>
      links.make({ purpose, userId, ttlSeconds: DAY });
    const ended = [await make(ada, PasswordReset), await make(ada, PasswordReset)];
    const [kept, ofBob] = [
      await make(ada, LinkPurpose.EmailVerification),
      await make(bob, PasswordReset),
    ];

    await links.endFor(dataSource.manager, ada, PasswordReset);

    expect(await Promise.all(ended.map((token) => links.find(PasswordReset, token)))).toEqual([
      undefined,
      undefined,
    ]);
    expect(await links.find(LinkPurpose.EmailVerification, kept)).toBeDefined();
    await database.query('DELETE FROM users WHERE id = $1', [ada]);
    const [left] = await rows();
    expect(await rows()).toHaveLength(1);
    await links.revoke(Invitation, left?.token_hash ?? Buffer.alloc(0));
    expect(await links.find(PasswordReset, ofBob)).toBeDefined();
    await links.revoke(PasswordReset, left?.token_hash ?? Buffer.alloc(0));
    expect(await rows()).toEqual([]);
  });

  it('remains valid when the administrator who created it is deleted', async () => {
    const createdBy = await aUser();
    const token = await links.make({ purpose: Invitation, createdBy, ttlSeconds: DAY });

    await database.query('DELETE FROM users WHERE id = $1', [createdBy]);

    expect(await use(Invitation, token)).toMatchObject({
      userId: null,
      email: null,
      createdBy: null,
    });
  });
});
