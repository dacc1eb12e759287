import { Replicas } from '../../src/platform/database/replicas.js';
import { until, type Variables, Workplace } from '../support/processes.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

/** Nothing listens there. */
const DEAD = 'postgres://satchel@127.0.0.1:1/satchel';

let primary: TestDatabase;

beforeAll(async () => {
  primary = await aDatabase();
});
afterAll(() => primary.drop());

/** The primary server under another name. */
const itself = (): string => {
  const url = new URL(primary.url);
  url.searchParams.set('application_name', 'another');
  return url.href;
};

describe('a service whose replicas are none', () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await aTestApp({
      through: () => primary.connection,
      config: { databaseReplicaUrls: [itself(), DEAD], answerCacheMegabytes: 0 },
    });
  });
  afterEach(() => app.close());

  it('reads lists from the primary server, and says why', async () => {
    const ada = await ReadingListApi.of(app);
    await until(async () => {
      await ada.saved(`https://example.com/${Math.random()}`);
      const names = await ada.names({ count: 1 });
      expect(names).toHaveLength(1);
      return (app.log().match(/is not used: /g) ?? []).length === 2;
    }, 'both reasons');

    expect(app.log()).toContain('it is not a replica');
    expect(app.log()).toMatch(/replica 127.0.0.1:1\/satchel is not used: connect ECONNREFUSED/);
    expect(app.app.get(Replicas).areUsable()).toBe(false);
    for (const reads of app.app.get(Replicas).reads.values()) {
      expect(reads).toEqual({ served: 0, behind: 0, failed: 0 });
    }
  });
});

describe('satchel doctor with DATABASE_REPLICA_URLS', () => {
  let workplace: Workplace;

  beforeAll(() => {
    workplace = new Workplace();
  });
  afterAll(() => {
    workplace.remove();
  });

  const findings = async (variables: Variables): Promise<readonly object[]> => {
    const { stdout } = await workplace.runHere(['doctor', '--json'], {
      variables: { DATABASE_URL: primary.url, ...variables },
    });
    return (JSON.parse(stdout) as { check: string }[]).filter(({ check }) =>
      check.startsWith('replica '),
    );
  };

  it('names a server that takes writes, and one that is away', async () => {
    expect(await findings({ DATABASE_REPLICA_URLS: `${itself()},${DEAD}` })).toEqual([
      expect.objectContaining({
        state: 'fault',
        detail: expect.stringMatching(/^it is not a replica: it takes writes/),
      }),
      {
        check: 'replica 127.0.0.1:1/satchel',
        state: 'warning',
        detail: expect.stringMatching(/^it cannot be read, .*ECONNREFUSED/),
      },
    ]);
  });

  it('says nothing of replicas where there are none', async () => {
    expect(await findings({})).toEqual([]);
  });
});
