import { runChecks, type WallabagTarget } from '../../conformance/run-checks.mjs';
import { aBreakingProxy, type BreakingProxy } from '../support/breaking-proxy.js';
import { conformance } from '../support/conformance.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { WallabagApi } from '../support/wallabag-api.js';
import { WALLABAG_BREAKAGES } from '../support/wallabag-breakages.js';

let app: TestApp;
let proxy: BreakingProxy;
let reader: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp();
  proxy = await aBreakingProxy(app.url);
});
afterAll(async () => {
  await proxy.close();
  await app.close();
});
beforeEach(async () => {
  proxy.breakage = {};
  reader = await ReadingListApi.of(app);
});

async function aTarget(): Promise<WallabagTarget> {
  const { clientId, clientSecret } = (await WallabagApi.of(app)).client;
  const { email: username, password } = reader.user;
  return { base: `${proxy.url}/wallabag`, clientId, clientSecret, username, password };
}

describe('a broken server', () => {
  it.each(WALLABAG_BREAKAGES)('fails the check %s when it %s', async (check, _, breakage) => {
    const target = { ...(await aTarget()), patienceMs: 1000 };
    proxy.breakage = breakage;

    const { results } = await runChecks(target, { api: 'wallabag', only: [check] });

    expect(results).toMatchObject([
      { name: check, outcome: 'failed', reason: expect.stringMatching(/\S/) },
    ]);
  });

  it('exists for every check', async () => {
    const { output } = await conformance('--wallabag', '--list');

    const names = output
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0]);
    expect([...names].sort()).toEqual(WALLABAG_BREAKAGES.map(([check]) => check).sort());
  });
});
