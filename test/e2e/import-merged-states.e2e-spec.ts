import { ImportApi } from '../support/import-api.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const URL = 'https://ferns.example/a';
const htmlWith = (...headings: readonly string[]): string =>
  [
    '<!DOCTYPE html><html><head><title>Instapaper: Export</title></head><body>',
    ...headings.map((heading) => `<h1>${heading}</h1><ol><li><a href="${URL}">Ferns</a></ol>`),
    '</body></html>',
  ].join('\n');
const csvWith = (...rows: readonly string[]): string =>
  ['URL,Title,Selection,Folder,Timestamp', ...rows.map((row) => `${URL},Ferns,,${row}`)].join('\n');

describe('imported rows of one page that each contain a part of its state', () => {
  let app: TestApp;
  let api: ReadingListApi;
  let imports: ImportApi;

  beforeAll(async () => {
    app = await aTestApp();
  });
  beforeEach(async () => {
    api = await ReadingListApi.of(app);
    imports = new ImportApi(app, api);
  });
  afterAll(() => app.close());

  const item = async (): Promise<unknown> => (await api.items({ state: 'all' }))[0];
  const ARCHIVED_FAVORITE = { status: '1', favorite: '1' };

  it.each([
    ['without a time', htmlWith('Archive', 'Liked')],
    ['without a time, the favorite first', htmlWith('Liked', 'Archive')],
    ['of one second', csvWith('Archive,1500000000', 'Starred,1500000000')],
    ['of one second, the favorite first', csvWith('Starred,1500000000', 'Archive,1500000000')],
    ['with the newest first', csvWith('Archive,1600000000', 'Starred,1500000000')],
    ['with the oldest first', csvWith('Starred,1500000000', 'Archive,1600000000')],
  ])('become one item with the whole state: %s', async (_, content) => {
    await imports.imported(content);

    expect(await item()).toMatchObject(ARCHIVED_FAVORITE);
    expect(await imports.imported(content)).toMatchObject({ changed: 0, unchanged: 2 });
  });

  it('become one item with the newest value if several rows contain it', async () => {
    await imports.imported(csvWith('Archive,1600000000', 'Unread,1500000000'));

    expect(await item()).toMatchObject({ status: '1' });
  });

  it('do not overwrite later changes of the user', async () => {
    await imports.imported(htmlWith('Archive', 'Liked'));
    const [first] = await api.items({ state: 'all' });
    await api.send([{ action: 'unfavorite', item_id: first?.item_id }]);

    await imports.imported(htmlWith('Archive', 'Liked'));

    expect(await item()).toMatchObject({ status: '1', favorite: '0' });
  });

  it('do not overwrite the data of a newer file', async () => {
    const newer = { url: URL, is_archived: 0, is_starred: 0, updated_at: '2023-01-01T00:00:00Z' };
    await imports.imported(JSON.stringify([newer]));

    await imports.imported(csvWith('Archive,1500000000', 'Starred,1500000000'));

    expect(await item()).toMatchObject({ status: '0', favorite: '0' });
  });
});
