import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

import { Dialect } from '../../src/auth/consumers/entities/consumer-key.entity.js';
import { Database } from '../../src/platform/database/database.js';
import { prepareDatabase } from '../../src/platform/database/pooled-sessions.js';
import { aFetcher } from '../support/a-fetcher.js';
import { AccountApi } from '../support/account-api.js';
import { ImportApi } from '../support/import-api.js';
import { aPgBouncer, canKeepStatements } from '../support/pgbouncer.js';
import { until } from '../support/processes.js';
import { ok, PublicHost } from '../support/public-host.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aSharedAction, type Delta, dice, SyncingReader } from '../support/syncing-reader.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { aDatabase } from '../support/test-database.js';

const ARTICLE = readFileSync('test/fixtures/pages/article.html');
const WRITERS = 6;
const BATCHES = 8;

const MODES = (['transaction', 'transaction-prepared'] as const).filter(
  (mode) => mode === 'transaction' || canKeepStatements,
);

const range = (length: number): number[] => Array.from({ length }, (_, n) => n);

describe.each(MODES)('two instances behind PgBouncer, DATABASE_POOLER=%s', (pooler) => {
  let host: PublicHost;
  let app: TestApp;
  let other: TestApp;

  beforeAll(async () => {
    host = await PublicHost.start();
    const facts = {
      config: { resolverConcurrency: 2, resolveWaitMs: 0 },
      fetcher: aFetcher(host),
    };
    app = await aTestApp({ ...facts, pooler });
    other = await aTestApp({ ...facts, beside: app });
  });
  afterAll(async () => {
    await other.close();
    await app.close();
    await host.stop();
  });

  it('accept the login of a user at the other instance', async () => {
    const person = await new AccountApi(app).signedIn();

    const api = await ReadingListApi.of(other, { user: person });

    await api.saved('https://example.com/first');
    expect(await api.items()).toHaveLength(1);
  });

  it('import a file at one instance and show it at the other', async () => {
    const api = await ReadingListApi.of(app);

    const rows = range(1200).map((n) => `https://example.com/${n}`);
    const job = await new ImportApi(app, api).imported(rows.join('\n'));

    expect(job).toMatchObject({ state: 'done', added: 1200 });
    expect((await api.at(other).found({ state: 'all', total: 1 })).total).toBe('1200');
  });

  it('fetch the pages of items that are added at either instance', async () => {
    host.answer(ok(ARTICLE));
    const api = await ReadingListApi.of(app);
    for (const n of range(6)) {
      await api.at(n % 2 === 0 ? app : other).saved(host.url(`/${n}`, `${pooler}${n}.example`));
    }

    await until(async () =>
      (await api.items()).every(({ resolved_id: resolved }) => resolved !== '0'),
    );

    expect(await api.items()).toHaveLength(6);
  });

  it('send a client all changes that are made at either instance', async () => {
    const api = await ReadingListApi.of(app, { dialect: Dialect.Classic });
    const ask = async (since?: number): Promise<Delta> => {
      const asked = { since, state: 'all', count: 5000, detailType: 'complete' };
      const { list, since: next } = await api.at(other).found(asked);
      const changes = Object.entries(list).map(
        ([id, item]) => [id, item.status === '2' ? null : { ...item, sort_id: 0 }] as const,
      );
      return { since: next, changes: new Map(changes) };
    };
    const write = async (writer: number): Promise<void> => {
      const roll = dice(writer + 1);
      for (const batch of range(BATCHES)) {
        const own = { action: 'add', url: `https://own.example/${writer}/${batch}` };
        await api.at(writer % 2 === 0 ? app : other).sent(aSharedAction(roll), own);
      }
    };
    const reader = new SyncingReader(ask);
    const writing = { isOver: false };

    const following = reader.follow(
      () => writing.isOver,
      () => pause(10),
    );
    await Promise.all(range(WRITERS).map(write)).finally(() => {
      writing.isOver = true;
    });
    await following;

    const fresh = new SyncingReader(ask);
    await fresh.poll();
    expect(reader.copy).toEqual(fresh.copy);
    expect(fresh.copy.size).toBeGreaterThanOrEqual(WRITERS * BATCHES);
  });

  it('end a statement that takes longer than five seconds', async () => {
    const { manager } = app.app.get(Database);

    await expect(manager.query('SELECT pg_sleep(6)')).rejects.toThrow(/statement timeout/);
  });
});

describe('a new database behind PgBouncer', () => {
  it('is migrated over the direct connection, and only once', async () => {
    const database = await aDatabase({ isEmpty: true });
    const bouncer = await aPgBouncer(database.url, { sessions: 2 });
    const direct = { url: database.url, variable: 'DATABASE_DIRECT_URL' } as const;

    const executed = await prepareDatabase({ connection: bouncer.connection, direct });
    const again = await prepareDatabase({ connection: bouncer.connection, direct });

    await bouncer.close();
    await database.drop();
    expect(executed.length).toBeGreaterThan(0);
    expect(again).toEqual([]);
  });
});
