import { ListsOnPostgres } from '../support/a-list.js';
import { DuplicateReader, DUPLICATES, groupsOf } from '../support/duplicate-reader.js';
import { bodyOf } from '../support/shown-list.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let lists: ListsOnPostgres;
let reader: DuplicateReader;

beforeAll(async () => {
  app = await aTestApp();
  lists = await ListsOnPostgres.start(app.database);
});
afterAll(async () => {
  await lists.dataSource.destroy();
  await app.close();
});
beforeEach(async () => {
  reader = await DuplicateReader.of(app, lists);
});
afterEach(async () => {
  expect(await reader.faults()).toEqual([]);
});

const MERGED = 'Merged. The other items are in the trash.';
const TARGET = 'https://site.example/ferns';

describe('the groups of probably the same article', () => {
  const likely = (): Promise<string[][]> => reader.groups(`${DUPLICATES}?kind=likely`);
  const [ONE, OTHER] = ['https://site.example/ferns?ref=a', 'https://site.example/ferns?ref=b'];

  it('have the same site, title, beginning and number of words', async () => {
    await reader.saved(ONE, ONE);
    await reader.saved(OTHER, OTHER);

    expect(await likely()).toEqual([[ONE, OTHER]]);
    expect(await reader.groups()).toEqual([]);
  });

  it.each(['m', 'amp', 'mobile'])('include pages for phones at the host %s.', async (label) => {
    const url = `https://${label}.site.example/ferns`;
    await reader.saved(TARGET, TARGET);
    await reader.saved(url, url);

    expect(await likely()).toEqual([[TARGET, url]]);
  });

  it.each([
    ['another title', OTHER, { resolvedTitle: 'Mosses' }],
    ['another number of words', OTHER, { wordCount: 301 }],
    ['another beginning', OTHER, { excerpt: 'It ends.' }],
    ['another site', 'https://copy.example/ferns', {}],
    ['another subdomain', 'https://blog.site.example/ferns', {}],
    ['no article', OTHER, { isArticle: false }],
  ])('do not contain an item with %s', async (_, url, page) => {
    await reader.saved(ONE, ONE);
    await reader.saved(url, url, page);

    expect(await likely()).toEqual([]);
  });

  it.each([
    [99, 0],
    [100, 1],
  ])('of %i words are %i', async (wordCount, count) => {
    await reader.saved(ONE, ONE, { wordCount });
    await reader.saved(OTHER, OTHER, { wordCount });

    expect(await likely()).toHaveLength(count);
  });

  it('are left out if all items have the same page', async () => {
    await reader.pair();

    expect(await likely()).toEqual([]);
  });

  it('are merged like the others, but not all at once', async () => {
    const ids = [await reader.saved(ONE, ONE), await reader.saved(OTHER, OTHER)];
    await reader.saved(`${ONE}&x`, `${ONE}&x`, { resolvedTitle: 'Mosses' });
    await reader.saved(`${OTHER}&x`, `${OTHER}&x`, { resolvedTitle: 'Mosses' });
    const page = await reader.open(`${DUPLICATES}?kind=likely`);
    expect(groupsOf(page)).toHaveLength(2);
    expect(bodyOf(page).querySelector('#merge-all')).toBeNull();

    expect(await reader.merge(ids[0] ?? '', ids[1] ?? '')).toBe(MERGED);
    expect(await likely()).toHaveLength(1);
  });
});
