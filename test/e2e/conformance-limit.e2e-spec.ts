import { aBreakingProxy } from '../support/breaking-proxy.js';
import { conformance, resultsOf } from '../support/conformance.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp({ config: { callLimits: { perUser: 20, perKey: 0 } } });
});
afterAll(() => app.close());

it('the check over-limit passes for Satchel and fails for a service with a wrong limit header', async () => {
  const reader = await ReadingListApi.of(app);
  const proxy = await aBreakingProxy(app.url);
  proxy.breakage = {
    answer: ({ headers }) => {
      headers['x-limit-user-remaining'] = '1';
    },
  };
  const over = (base: string) =>
    conformance(
      ...['--base', base, '--consumer-key', reader.consumerKey, '--json'],
      ...['--access-token', reader.user.accessToken],
      ...['--only', 'over-limit', '--spend-limit', '30'],
    );

  const [right, wrong] = [await over(app.url), await over(proxy.url)];

  expect(resultsOf(right)).toMatchObject([{ outcome: 'passed' }]);
  expect(resultsOf(wrong)).toMatchObject([{ outcome: 'failed', reason: 'no Remaining is 0' }]);
  await proxy.close();
});
