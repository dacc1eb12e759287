import request, { type Response } from 'supertest';
import { DataSource } from 'typeorm';

import { AccountApi, aPerson, bearer } from '../support/account-api.js';
import { aDatabaseProxy, type DatabaseProxy } from '../support/database-proxy.js';
import { until } from '../support/processes.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

let app: TestApp;
/** A connection to another database, from which the test can close the service's database. */
let outside: TestDatabase;

beforeAll(async () => {
  [app, outside] = await Promise.all([aTestApp(), aDatabase({ isEmpty: true })]);
});
afterAll(async () => {
  await openDatabase();
  await app.close();
  await outside.drop();
});

const get = async (path: string): Promise<Response> => request(app.url).get(path);
const name = (): string => new URL(app.database.url).pathname.slice(1);

async function closeDatabase(): Promise<void> {
  await outside.query(`ALTER DATABASE ${name()} ALLOW_CONNECTIONS false`);
  await outside.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name()}'`,
  );
}
const openDatabase = (): Promise<unknown> =>
  outside.query(`ALTER DATABASE ${name()} ALLOW_CONNECTIONS true`);

const NOT_READY = {
  statusCode: 503,
  error: 'Service Unavailable',
  message: 'The service is not ready: database.',
  code: 'not_ready',
};

describe('GET /health and GET /ready', () => {
  it.each(['/health', '/ready'])('%s is ok while all is well', async (path) => {
    const { status, body } = await get(path);

    expect(status).toBe(200);
    expect(body.status).toBe('ok');
  });

  it.each(['/health', '/ready'])('%s answers HEAD, and must not be cached', async (path) => {
    const { status, headers } = await request(app.url).head(path);

    expect(status).toBe(200);
    expect(headers['cache-control']).toMatch('no-store');
  });

  it.each(['/health', '/ready'])('%s tells nothing of the inside', async (path) => {
    const { text } = await get(path);

    expect(text).not.toMatch(/postgres|satchel_|127\.0\.0\.1|version/i);
  });
});

describe('a service whose database is gone', () => {
  beforeAll(closeDatabase);
  afterAll(openDatabase);

  it('is alive', async () => {
    expect((await get('/health')).status).toBe(200);
  });

  it('is not ready, tells what fails, and when to ask again', async () => {
    const { status, body, headers } = await get('/ready');

    expect(status).toBe(503);
    expect(body).toEqual(NOT_READY);
    expect(headers['retry-after']).toBe('1');
  });

  it('answers what needs the database with 503, and tells no reason', async () => {
    const api = new AccountApi(app);

    const answers = await Promise.all([
      api.post('/register', aPerson()),
      api.login(aPerson()),
      api.refresh('r'.repeat(43)),
    ]);

    expect(answers.map(({ status, body }) => `${status} ${body.code}`)).toEqual(
      answers.map(() => '503 database_unavailable'),
    );
    expect(answers.map(({ headers }) => headers['retry-after'])).toEqual(['1', '1', '1']);
    expect(answers.map(({ text }) => text).join()).not.toMatch(/connection|satchel_|55000/i);
  });

  it('still refuses what it can judge by itself', async () => {
    const api = new AccountApi(app);

    expect((await api.post('/register', {})).status).toBe(400);
    expect((await api.loginWith(bearer('nonsense'))).status).toBe(401);
  });
});

describe('a service whose database comes back', () => {
  it('is ready again by itself', async () => {
    await closeDatabase();
    await until(async () => (await get('/ready')).status === 503);

    await openDatabase();
    await until(async () => (await get('/ready')).status === 200);

    const api = new AccountApi(app);
    await api.signedIn();
  });

  it('serves on after the connections were cut off under load', async () => {
    const api = new AccountApi(app);
    const person = await api.registered();
    const logins = Array.from({ length: 30 }, async () => (await api.login(person)).status);
    await outside.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name()}'`,
    );

    const statuses = new Set(await Promise.all(logins));

    expect([200, 503]).toEqual(expect.arrayContaining([...statuses]));
    await until(async () => (await api.login(person)).status === 200);
  });
});

describe('a database that takes no writes', () => {
  const setReadOnly = async (value: 'on' | 'off'): Promise<void> => {
    await outside.query(`ALTER DATABASE ${name()} SET default_transaction_read_only = ${value}`);
    await outside.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name()}'`,
    );
    await until(async () => (await get('/ready')).status === 200);
  };

  afterAll(() => setReadOnly('off'));

  it('is told to who writes, and forgotten when it is over', async () => {
    const api = new AccountApi(app);
    await setReadOnly('on');

    const { status, body } = await api.post('/register', aPerson());

    expect(`${status} ${body.code}`).toBe('503 database_unavailable');
    await setReadOnly('off');
    await api.registered();
  });
});

describe('a pool that is busy', () => {
  it('leaves the service ready, so that not all instances are taken out at once', async () => {
    const holders = Array.from({ length: app.config.databasePoolSize }, () =>
      app.app.get(DataSource).createQueryRunner(),
    );
    await Promise.all(holders.map((holder) => holder.connect()));

    const { status } = await get('/ready');

    await Promise.all(holders.map((holder) => holder.release()));
    expect(status).toBe(200);
  });
});

describe('a database that falls silent', () => {
  let proxy: DatabaseProxy;
  let database: TestDatabase;
  let behind: TestApp;

  beforeAll(async () => {
    database = await aDatabase();
    proxy = await aDatabaseProxy(database.url);
    behind = await aTestApp({ through: () => proxy.connection });
  });
  afterAll(async () => {
    // Closing the proxy ends its silent connections. The service's connections would wait for their timeout.
    await proxy.close();
    await behind.close();
    await database.drop();
  });

  const ready = async (): Promise<Response> => request(behind.url).get('/ready');

  it('makes the service not ready, and ready again when it answers', async () => {
    expect((await ready()).status).toBe(200);

    proxy.become('silent');

    const answers = await Promise.all([ready(), ready()]);
    expect(answers.map(({ status, body }) => ({ status, body }))).toEqual([
      { status: 503, body: NOT_READY },
      { status: 503, body: NOT_READY },
    ]);
    expect((await request(behind.url).get('/health')).status).toBe(200);

    proxy.become('open');
    await until(async () => (await ready()).status === 200);
  });
});
