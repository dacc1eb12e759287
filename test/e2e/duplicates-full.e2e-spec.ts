import { FULL_ON_PAGES, STORAGE_LIMIT, topUpTo } from '../support/a-full-list.js';
import { ListsOnPostgres } from '../support/a-list.js';
import { DuplicateReader, DUPLICATES } from '../support/duplicate-reader.js';
import { shownText } from '../support/page-visitor.js';
import { titlesAt } from '../support/shown-list.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let lists: ListsOnPostgres;

beforeAll(async () => {
  app = await aTestApp({ config: { storageLimitBytes: STORAGE_LIMIT } });
  lists = await ListsOnPostgres.start(app.database);
});
afterAll(async () => {
  await lists.dataSource.destroy();
  await app.close();
});

const MERGED = 'Merged. The other items are in the trash.';

/** Fills the list. Afterwards it has room for exactly `bytesLeft` more bytes. */
async function fill({ api }: DuplicateReader, bytesLeft: number): Promise<void> {
  const urls = Array.from({ length: 8 }, (_, at) => `https://full.example/${at}`);
  await api.sent(...urls.map((url) => ({ action: 'add', url })));
  await topUpTo(app, api, bytesLeft);
}

describe('a merge in a full list', () => {
  it('works if nothing is added to the kept item', async () => {
    const reader = await DuplicateReader.of(app, lists);
    const [short, target] = await reader.pair();
    await fill(reader, 0);

    expect(await reader.merge(short, target)).toBe(MERGED);
    expect(await reader.faults()).toEqual([]);
  });

  it('changes nothing if a highlight has no room', async () => {
    const reader = await DuplicateReader.of(app, lists);
    const [short, target] = await reader.pair();
    await reader.highlight(target, 'article');
    await fill(reader, 100);
    const _csrf = await reader.visitor.csrfToken();
    const before = await reader.ids();

    const form = { _csrf, keep: short, 'item[]': [target] };
    const answer = await reader.visitor.post(DUPLICATES, form).expect(507);

    expect(shownText(answer)).toContain(FULL_ON_PAGES);
    expect(await reader.ids()).toEqual(before);
    expect(await titlesAt(reader.visitor, '/list/trash')).toEqual([]);
    expect(await reader.faults()).toEqual([]);
  });
});
