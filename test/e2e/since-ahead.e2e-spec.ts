import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

it('keeps the pages of the whole list consistent if the list version reaches a since in the future', async () => {
  const api = await ReadingListApi.of(app);
  const saved: string[] = [];
  for (const n of [1, 2, 3]) {
    saved.push(await api.saved(`https://example.com/${n}`));
  }
  const since = (await api.found()).since + 1000;
  const first = await api.found({ since, count: 2 });
  await app.database.query('UPDATE lists SET stamp = $2 WHERE user_id = $1', [api.user.id, since]);
  const second = await api.found({ since, count: 2, offset: 2 });
  const other = await api.found({ since, count: 3, offset: 0 });

  expect(first.complete).toBe(1);
  expect(second).toMatchObject({ complete: 1, since: first.since });
  expect([...Object.keys(first.list), ...Object.keys(second.list)].toSorted()).toEqual(
    saved.toSorted(),
  );
  expect(other).toMatchObject({ complete: 0, list: {} });
});
