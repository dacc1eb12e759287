import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp({ config: { callLimits: { perUser: 0, perKey: 0 } } });
});
afterAll(() => app.close());

it('a service without call limits rejects no calls and counts no calls', async () => {
  const reader = await ReadingListApi.of(app);

  const answers = await Promise.all(Array.from({ length: 20 }, () => reader.get().expect(200)));

  expect(answers.at(-1)!.headers).toMatchObject({
    'x-limit-user-limit': '2147483647',
    'x-limit-user-remaining': '2147483647',
    'x-limit-key-reset': '3600',
  });
  expect(await app.database.query('SELECT * FROM call_counters')).toEqual([]);
});
