import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

const countsOf = async (api: ReadingListApi): Promise<number[]> => {
  const { body } = await api.post('/v3/stats').expect(200);
  expect(body.status).toBe(1);
  return [body.count_list, body.count_read, body.count_unread];
};

describe('the counts of /v3/stats', () => {
  it('are zero for an empty list', async () => {
    expect(await countsOf(await ReadingListApi.of(app))).toEqual([0, 0, 0]);
  });

  it('follow added, archived, readded and deleted items', async () => {
    const api = await ReadingListApi.of(app);
    const urls = [1, 2, 3, 4].map((n) => `https://example.com/${n}`);
    await api.results(...urls.map((url, n) => ({ action: 'add', url, tags: n > 1 ? 'x' : '' })));

    expect(await countsOf(api)).toEqual([4, 0, 4]);
    await api.results(
      { action: 'archive', url: urls[0] },
      { action: 'archive', url: urls[2] },
      { action: 'favorite', url: urls[2] },
      { action: 'delete', url: urls[3] },
    );
    expect(await countsOf(api)).toEqual([3, 2, 1]);
    await api.results({ action: 'readd', url: urls[0] });
    expect(await countsOf(api)).toEqual([3, 1, 2]);
  });

  it('include only items of the user', async () => {
    const [one, other] = [await ReadingListApi.of(app), await ReadingListApi.of(app)];
    await one.saved('https://example.com/');

    expect(await countsOf(other)).toEqual([0, 0, 0]);
  });
});
