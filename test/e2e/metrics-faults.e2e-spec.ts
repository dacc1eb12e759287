import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import pg from 'pg';

import { ImageCache } from '../../src/articles/images/image-cache.js';
import { Database } from '../../src/platform/database/database.js';
import { Mailer } from '../../src/platform/mail/mailer.js';
import { AccountApi } from '../support/account-api.js';
import { aDatabaseProxy, type DatabaseProxy } from '../support/database-proxy.js';
import { ImportApi } from '../support/import-api.js';
import { MailServer } from '../support/mail-server.js';
import { until } from '../support/processes.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { type Scrape, scrape, WITH_METRICS } from '../support/scrape.js';
import { aTestApp, NO_LIMITS, type TestApp } from '../support/test-app.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';
import { WallabagCaller } from '../support/wallabag-caller.js';

const CALLS = 3;

let app: TestApp;
let api: ReadingListApi;
let mails: MailServer;

beforeAll(async () => {
  mails = await MailServer.begin({ refuse: () => ({ code: 550, text: 'no such mailbox' }) });
  app = await aTestApp({
    config: {
      ...WITH_METRICS,
      mail: mails.settings,
      limits: { ...NO_LIMITS, loginPerAccount: 2 },
    },
  });
  api = await ReadingListApi.of(app);
});
afterAll(async () => {
  await app.close();
  await mails.close();
});

/** Returns the increase of a counter while the fault is caused. */
async function increaseOf(
  [name, labels]: readonly [name: string, labels: Record<string, string>],
  cause: () => Promise<unknown>,
): Promise<number> {
  const valueIn = (found: Scrape): number => found.value(name, labels) ?? 0;
  const before = valueIn(await scrape(app.url));
  await cause();
  return valueIn(await scrape(app.url)) - before;
}

/** The service opens new sessions, which have the changed defaults of the database. */
const endSessions = ({ query }: TestDatabase) =>
  query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'satchel' AND pid <> pg_backend_pid()`,
  );

describe('the metrics', () => {
  it('show refused passwords, and logins over the limit', async () => {
    const accounts = new AccountApi(app);
    const { email } = await accounts.registered();
    const guess = () => accounts.login({ email, password: 'not the right pass phrase' });

    const refused = await increaseOf(['satchel_logins_total', { result: 'refused' }], async () => {
      await guess();
      await guess();
    });
    const limited = await increaseOf(
      ['satchel_limit_refusals_total', { limit: 'login-account' }],
      guess,
    );

    expect([refused, limited]).toEqual([2, 1]);
  });

  it('show calls over the limit of a user', async () => {
    const user = await ReadingListApi.of(app);
    const { callLimits } = app.config;
    Object.assign(app.config, { callLimits: { perUser: CALLS, perKey: 0 } });

    const refused = await increaseOf(
      ['satchel_limit_refusals_total', { limit: 'user' }],
      async () => {
        for (let n = 0; n < CALLS + 2; n += 1) {
          await user.get();
        }
      },
    );

    Object.assign(app.config, { callLimits });
    expect(refused).toBe(2);
  });

  it('show calls over the limit of a key', async () => {
    const user = await ReadingListApi.of(app);
    const { callLimits } = app.config;
    Object.assign(app.config, { callLimits: { perUser: 0, perKey: CALLS } });

    const refused = await increaseOf(
      ['satchel_limit_refusals_total', { limit: 'key' }],
      async () => {
        for (let n = 0; n < CALLS + 2; n += 1) {
          await user.get();
        }
      },
    );

    Object.assign(app.config, { callLimits });
    expect(refused).toBe(2);
  });

  it('show calls of wallabag clients over the limit of syncs', async () => {
    const client = await WallabagCaller.of(app);
    const { syncCallsPerHour } = app.config;
    Object.assign(app.config, { syncCallsPerHour: CALLS });

    const refused = await increaseOf(
      ['satchel_limit_refusals_total', { limit: 'sync' }],
      async () => {
        for (let n = 0; n < CALLS + 2; n += 1) {
          await client.get('entries');
        }
      },
    );

    Object.assign(app.config, { syncCallsPerHour });
    expect(refused).toBe(2);
  });

  it('show a full disk of the database, until it has room again', async () => {
    const { database } = app;
    const writable = async () => (await scrape(app.url)).value('satchel_database_writable');
    const name = new URL(database.url).pathname.slice(1);
    // The check calls this function of PostgreSQL, which then needs a temporary file.
    await database.query(`
      CREATE FUNCTION generate_series(integer, integer) RETURNS SETOF integer LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = 'disk_full'; END $$`);
    await database.query(`ALTER DATABASE "${name}" SET search_path = public, pg_catalog`);
    await endSessions(database);

    await until(async () => (await writable()) === 0);
    await database.query('DROP FUNCTION public.generate_series');
    await database.query(`ALTER DATABASE "${name}" RESET search_path`);

    await until(async () => (await writable()) === 1);
  });

  it('show a failed import', async () => {
    const imports = new ImportApi(app, api);

    const failed = await increaseOf(['satchel_imports_total', { result: 'failed' }], () =>
      imports.imported('\u0000\u0001 no format'),
    );

    expect(failed).toBe(1);
  });

  it('show the rows of a finished import', async () => {
    const imports = new ImportApi(app, api);

    const rows = await increaseOf(['satchel_import_rows_total', { result: 'added' }], () =>
      imports.imported('https://example.com/1\nhttps://example.com/2\n'),
    );

    expect(rows).toBe(2);
  });

  it('show a mail that the mail server refuses', async () => {
    const mail = { to: 'ada@example.com', subject: 'A', text: 'A', html: 'A' };

    const refused = await increaseOf(['satchel_mails_total', { result: 'refused' }], () =>
      app.app.get(Mailer).send(() => Promise.resolve(mail)),
    );

    expect(refused).toBe(1);
  });

  it('show a folder of pictures that cannot be written', async () => {
    const folder = join(app.config.dataDirectory, 'images');
    mkdirSync(app.config.dataDirectory, { recursive: true });
    writeFileSync(folder, 'a file in the place of the folder');

    const failed = await increaseOf(
      ['satchel_image_cache_writes_total', { result: 'failed' }],
      () => app.app.get(ImageCache).keep('https://example.com/a.png', Buffer.from('a')),
    );

    rmSync(folder);
    expect(failed).toBe(1);
  });

  it('show a change that waits too long for a lock', async () => {
    const holder = new pg.Client({ connectionString: app.database.url });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM lists WHERE user_id = $1 FOR UPDATE', [api.user.id]);

    const busy = await increaseOf(['satchel_errors_total', { code: 'service_busy' }], () =>
      api.send([{ action: 'add', url: 'https://example.com/locked' }]),
    );

    await holder.end();
    expect(busy).toBe(1);
  });

  it('show that all connections of the pool are used', async () => {
    const { manager } = app.app.get(Database);
    const size = app.config.databasePoolSize;
    const sleeping = Promise.all(
      Array.from({ length: size + 2 }, () => manager.query('SELECT pg_sleep(2)')),
    );

    const found = await scrape(app.url);

    expect(found.value('satchel_database_connections', { state: 'used', process: 'main' })).toBe(
      size,
    );
    expect(found.value('satchel_database_waiting', { process: 'main' })).toBeGreaterThanOrEqual(2);
    await sleeping;
  });
});

describe('the metrics of a queue', () => {
  it('show its depth and the age of its next entry', async () => {
    await app.database.query(
      `INSERT INTO page_requests (user_id, item_id, page_key, url, host, priority, turn, requested_at)
       SELECT $1, n, '\\x00', 'https://example.com/' || n, 'example.com', 0, n, now() - interval '90 seconds'
       FROM generate_series(1, 40) AS n`,
      [api.user.id],
    );
    const queue = 'saved-pages';

    const found = async (): Promise<Scrape | undefined> => {
      const latest = await scrape(app.url);
      return latest.value('satchel_queue_depth', { queue }) === 40 ? latest : undefined;
    };
    await until(async () => (await found()) !== undefined);

    expect((await found())?.value('satchel_queue_oldest_seconds', { queue })).toBeGreaterThan(89);
  });
});

describe('the metrics of a service whose database is unreachable', () => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let other: TestApp;

  beforeAll(async () => {
    database = await aDatabase();
    proxy = await aDatabaseProxy(database.url);
    other = await aTestApp({ config: WITH_METRICS, through: () => proxy.connection });
  });
  afterAll(async () => {
    await other.close();
    await proxy.close();
    await database.drop();
  });

  it.each(['refusing', 'silent'] as const)('show it if the server is %s', async (way) => {
    await until(async () => (await scrape(other.url)).value('satchel_database_up') === 1);
    proxy.become(way);

    await until(async () => (await scrape(other.url)).value('satchel_database_up') === 0);
    const found = await scrape(other.url);

    expect(found.value('process_resident_memory_bytes', { process: 'main' })).toBeGreaterThan(0);
    expect(found.value('satchel_database_writable')).toBeUndefined();
    proxy.become('open');
  });
});
