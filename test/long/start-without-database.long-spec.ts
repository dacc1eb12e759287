import request from 'supertest';

import { aDatabaseProxy, type DatabaseProxy } from '../support/database-proxy.js';
import { until } from '../support/processes.js';
import { Installation } from '../support/service-process.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

let database: TestDatabase;
let proxy: DatabaseProxy;
let installation: Installation;

beforeEach(async () => {
  database = await aDatabase({ isEmpty: true });
  proxy = await aDatabaseProxy(database.url);
  installation = new Installation();
});
afterEach(async () => {
  await installation.close();
  await proxy.close();
  await database.drop();
});

const ADA = { name: 'Ada', email: 'ada@example.com', password: 'a long pass phrase' };

describe('a service that starts before its database', () => {
  it('is alive but not ready, and becomes ready when the database can be reached', async () => {
    proxy.become('refusing');
    const { url } = await installation.started({ DATABASE_URL: proxy.url });
    const statusOf = async (path: string) => (await request(url).get(path)).status;
    const register = () => request(url).post('/register').send(ADA);

    expect([await statusOf('/health'), await statusOf('/ready')]).toEqual([200, 503]);
    const refused = await register();
    expect([refused.status, refused.body.code]).toEqual([503, 'database_unavailable']);

    proxy.become('open');
    await until(async () => (await statusOf('/ready')) === 200);

    expect((await register()).status).toBe(201);
  });

  it('stops at SIGTERM while it waits', async () => {
    proxy.become('refusing');
    const service = await installation.started({ DATABASE_URL: proxy.url });

    service.kill('SIGTERM');

    expect((await service.ended).code).toBe(0);
  });

  it('exits with the reason if the database does not exist', async () => {
    const url = Object.assign(new URL(proxy.url), { pathname: '/satchel_there_is_none' }).href;

    const { code, stderr } = await installation.start({ DATABASE_URL: url }).ended;

    expect(code).toBe(1);
    expect(stderr).toContain('database "satchel_there_is_none" does not exist');
  });
});
