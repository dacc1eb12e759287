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
  it.each(['/health', '/ready'])('%s returns 200 and ok while the service works', async (path) => {
    const { status, body } = await get(path);

    expect(status).toBe(200);
    expect(body.status).toBe('ok');
  });

  it.each(['/health', '/ready'])('%s supports HEAD and must not be cached', async (path) => {
    const { status, headers } = await request(app.url).head(path);

    expect(status).toBe(200);
    expect(headers['cache-control']).toMatch('no-store');
  });

  it.each(['/health', '/ready'])('%s reveals no internal details', async (path) => {
    const { text } = await get(path);

    expect(text).not.toMatch(/postgres|satchel_|127\.0\.0\.1|version/i);
  });
});

describe('GET /health', () => {
  it('lists the background work of the process', async () => {
    const { body } = await get('/health');

    expect(body.details).toMatchObject({
      ImportWorkers: { status: 'up' },
      TextWorker: { status: 'up' },
      'TombstoneSweep.sweep': { status: 'up', last_success_at: null },
    });
    expect(body.info).toEqual(body.details);
  });
});

describe('a service whose database is unreachable', () => {
  beforeAll(closeDatabase);
  afterAll(openDatabase);

  it('returns 200 at /health and names the failing background work', async () => {
    const failing = (): Promise<boolean> =>
      get('/health').then(({ body }) => body.error.ImportWorkers?.status === 'down');
    await until(failing);

    expect((await get('/health')).status).toBe(200);
  });

  it('returns 503 at /ready with the failing component and Retry-After', async () => {
    const { status, body, headers } = await get('/ready');

    expect(status).toBe(503);
    expect(body).toEqual(NOT_READY);
    expect(headers['retry-after']).toBe('1');
  });

  it('returns 503 without internal details for calls that need the database', async () => {
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

  it('still rejects requests that it can validate without the database', async () => {
    const api = new AccountApi(app);

    expect((await api.post('/register', {})).status).toBe(400);
    expect((await api.loginWith(bearer('nonsense'))).status).toBe(401);
  });
});

describe('a service whose database becomes reachable again', () => {
  it('becomes ready without a restart', async () => {
    await closeDatabase();
    await until(async () => (await get('/ready')).status === 503);

    await openDatabase();
    await until(async () => (await get('/ready')).status === 200);

    const api = new AccountApi(app);
    await api.signedIn();
  });

  it('serves requests after its connections were terminated under load', async () => {
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

describe('a read-only database', () => {
  const setReadOnly = async (value: 'on' | 'off'): Promise<void> => {
    await outside.query(`ALTER DATABASE ${name()} SET default_transaction_read_only = ${value}`);
    await outside.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name()}'`,
    );
    await until(async () => (await get('/ready')).status === 200);
  };

  afterAll(() => setReadOnly('off'));

  it('makes writes return 503 until it is writable again', async () => {
    const api = new AccountApi(app);
    await setReadOnly('on');

    const { status, body } = await api.post('/register', aPerson());

    expect(`${status} ${body.code}`).toBe('503 database_unavailable');
    await setReadOnly('off');
    await api.registered();
  });
});

describe('a connection pool without free connections', () => {
  it('leaves the service ready', async () => {
    const holders = Array.from({ length: app.config.databasePoolSize }, () =>
      app.app.get(DataSource).createQueryRunner(),
    );
    await Promise.all(holders.map((holder) => holder.connect()));

    const { status } = await get('/ready');

    await Promise.all(holders.map((holder) => holder.release()));
    expect(status).toBe(200);
  });
});

describe('a database that stops responding', () => {
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

  it('makes the service not ready until the database responds again', async () => {
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
