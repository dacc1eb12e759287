import { UserAdministrationService } from '../../src/auth/user-administration.service.js';
import type { ItemResponse } from '../../src/reading-list/get/item.presenter.js';
import { TextIndexer } from '../../src/reading-list/texts/text-indexer.js';
import { AccountApi } from '../support/account-api.js';
import { until } from '../support/processes.js';
import { expectRefusal, ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const FILLER = 'Plain sentences stand here, so that the page is taken for an article. '.repeat(12);

/** A page as a browser extension sends it. */
const html = (title: string, text: string): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><article><h1>${title}</h1>
  <p>${FILLER}</p><p>${text} ${FILLER}</p><p>${FILLER}</p></article></body></html>`;

let app: TestApp;
let api: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp({ config: { resolveWaitMs: 60_000 } });
});
afterAll(() => app.close());
beforeEach(async () => {
  api = await ReadingListApi.of(app);
});

const saved = (slug: string, title: string, text: string, by = api): Promise<string> =>
  by.saved(`https://example.com/${slug}`, { html: html(title, text) });

const written = () =>
  until(async () => (await app.database.query('SELECT FROM due_texts')).length === 0);

describe('the parameter q of /v3/get', () => {
  it('finds articles by their words, with the matching passage, the best matches first', async () => {
    await saved('wading', 'On wading', 'The <b>herons</b> &amp; an egret &lt;i&gt; wade.');
    await saved('herons', 'Herons of the north', 'They fly.');
    await saved('other', 'Something else', 'Nothing of it.');
    await written();

    const found = await api.items({ q: 'heron' });

    expect(found.map(({ given_url: url }) => url)).toEqual([
      'https://example.com/herons',
      'https://example.com/wading',
    ]);
    const { text, matches } = found[1]!.passage!;
    expect(matches.map(([from, to]) => text.slice(from, to))).toEqual(['herons']);
    expect(text).toContain('herons & an egret <i> wade.');
    expect(await api.names({ q: 'heron', sort: 'oldest' })).toEqual(['wading', 'herons']);
    expect(await api.names({ q: 'heron -fly', total: 1 })).toEqual(['wading']);
    expect(await api.found({ q: 'heron', total: 1, count: 1, offset: 1 })).toMatchObject({
      total: '2',
      search_meta: { total_result_count: 2, has_more: false },
    });
  });

  it('does not extend the parameter search to articles, and adds a passage only to its own results', async () => {
    const itemId = await saved('wading', 'On wading', 'The herons wade.');
    await written();

    expect(await api.names({ search: 'herons' })).toEqual([]);
    expect(await api.item(itemId)).not.toHaveProperty('passage');
    expect(await api.names({ q: 'herons', search: 'wading', state: 'unread' })).toEqual(['wading']);
    expect(await api.names({ q: '', sort: 'relevance' })).toEqual(['wading']);
  });

  it('uses no response that was cached before the words of an item were stored', async () => {
    await saved('wading', 'On wading', 'The herons wade.');
    await written();
    await app.database.query('DELETE FROM item_texts');
    expect(await api.names({ q: 'herons' })).toEqual([]);
    await app.database.query('INSERT INTO due_texts SELECT user_id, item_id FROM items');
    await written();

    expect(await api.names({ q: 'herons' })).toEqual(['wading']);
  });

  it('does not find the words of a page that another user has sent', async () => {
    const other = await ReadingListApi.of(app);
    await saved('account', 'My account', 'The password is xylograph.', other);
    await saved('account', 'Log in', 'Please log in.');
    await written();

    expect(await api.names({ q: 'xylograph' })).toEqual([]);
    expect(await other.names({ q: 'xylograph' })).toEqual(['account']);
  });

  it('returns only the matches that changed, together with since', async () => {
    await saved('wading', 'On wading', 'The herons wade.');
    const { since } = await api.found();
    await saved('later', 'Later', 'More herons wade.');
    await saved('other', 'Other', 'Nothing of it.');
    await written();

    const delta = await api.found({ q: 'herons', since });

    expect(Object.values(delta.list).map((item) => (item as ItemResponse).given_url)).toEqual([
      'https://example.com/later',
    ]);
  });

  it.each(['"(', '-', 'the', "'':*", '🦩', '(((((', 'or'])(
    'returns an empty list and no error for %j',
    async (q) => {
      await saved('wading', 'On wading', 'Egrets wade.');
      await written();

      expect(await api.items({ q })).toEqual([]);
      expect(await api.found({ q, total: 1 })).toMatchObject({ total: '0', error: null });
    },
  );

  it('rejects more than 256 characters', async () => {
    expectRefusal(await api.get({ q: 'a'.repeat(257) }), 400, 130);
  });

  it('uses stored words, which are deleted together with the user', async () => {
    const user = await new AccountApi(app).signedIn();
    await saved('wading', 'On wading', 'Egrets.', await ReadingListApi.of(app, { user }));
    await written();
    await app.app.get(UserAdministrationService).delete(user.email);

    expect(
      await app.database.query('SELECT FROM item_texts WHERE user_id = $1', [user.id]),
    ).toEqual([]);
    expect(await app.app.get(TextIndexer).writeNext()).toBe(false);
  });
});
