import { aFreePort, Installation } from '../support/service-process.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

let database: TestDatabase;
let installation: Installation;

beforeAll(async () => {
  database = await aDatabase();
  installation = new Installation();
});
afterAll(async () => {
  await installation.close();
  await database.drop();
});

const post = async (url: string, members: object): Promise<Record<string, unknown>> =>
  (await (
    await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(members),
    })
  ).json()) as Record<string, unknown>;

describe('a page of the service itself', () => {
  it('is saved but not fetched, even if its address and port are allowed', async () => {
    const port = await aFreePort();
    const service = await installation.started({
      DATABASE_URL: database.url,
      PORT: port,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      RESOLVER_CONCURRENCY: '1',
      RESOLVE_WAIT_MS: '15000',
      RESOLVER_ALLOW_ADDRESSES: '127.0.0.0/8',
      RESOLVER_ALLOW_PORTS: port,
    });
    const words = 'consumer-key create --name Reader --permissions retrieve,add,modify';
    const variables = { DATABASE_URL: database.url };
    const { stdout } = await installation.run(words.split(' '), { variables });
    const person = { email: 'ada@example.com', password: 'a long pass phrase' };
    await post(`${service.url}/register`, { ...person, name: 'Ada' });
    const { access_token } = await post(`${service.url}/login`, person);

    const added = await post(`${service.url}/v3/add`, {
      ...{ consumer_key: stdout.trim(), access_token },
      url: `http://127.0.0.1:${port}/openapi.json`,
    });

    expect(added).toMatchObject({ status: 1, item: { resolved_id: '0' } });
  });
});
