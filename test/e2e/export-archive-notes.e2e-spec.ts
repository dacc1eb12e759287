import { ArticlesService } from '../../src/articles/articles.service.js';
import { Snapshots } from '../../src/reading-list/snapshots/snapshots.service.js';
import { binaryFiles } from '../support/binary-files.js';
import { exportCall } from '../support/export-call.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let api: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  api = await ReadingListApi.of(app);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const exported = async (): Promise<ReadonlyMap<string, Buffer>> =>
  binaryFiles((await exportCall(app, api, { format: 'zip' }).expect(200)).body as Buffer);

it('needs no queries for items without a fetched page or a snapshot', async () => {
  const itemId = await api.saved('https://example.com/seen');
  await api.post('/v3/snapshot', { item_id: itemId, html: '<p>Words' }).expect(200);
  await api.saved('https://example.com/bare');
  const opened = jest.spyOn(app.app.get(ArticlesService, { strict: false }), 'stored');
  const searched = jest.spyOn(app.app.get(Snapshots, { strict: false }), 'ofItem');

  await exported();

  expect(opened).not.toHaveBeenCalled();
  expect(searched.mock.calls).toEqual([[api.user.id, itemId]]);
});
