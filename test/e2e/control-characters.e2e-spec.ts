import { aFetcher } from '../support/a-fetcher.js';
import { ImportApi } from '../support/import-api.js';
import { ok, PublicHost } from '../support/public-host.js';
import { ReadingListApi, tagsOf } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

/** Direction overrides, embeddings and isolates, an escape sequence, a bell, and an 8-bit control character. */
const TITLE = '\u202egpj.\u202cA \u2067title\u2069 of\u001b[2J \u0007words\u009b';
const SHOWN = 'gpj.A title of[2J words';
const BROKEN_URL = ' https://exa\tmple.com/a\r\n/page?b=\n1 ';
const URL_OF_IT = 'https://example.com/a/page?b=1';

let host: PublicHost;
let app: TestApp;
let api: ReadingListApi;

beforeAll(async () => {
  host = await PublicHost.start();
  app = await aTestApp({
    config: { resolverConcurrency: 2, resolveWaitMs: 60_000 },
    fetcher: aFetcher(host),
  });
});
beforeEach(async () => {
  api = await ReadingListApi.of(app);
});
afterAll(async () => {
  await app.close();
  await host.stop();
});

describe('invisible control and direction characters', () => {
  it('are removed from the titles and tags that a client sends', async () => {
    const url = 'https://example.com/sent';

    await api.results({ action: 'add', url, title: TITLE, tags: [TITLE] });
    const added = await api.saved('https://example.com/added', { title: TITLE, tags: [TITLE] });

    const [first, ...others] = await api.items({ search: TITLE, detailType: 'complete' });
    expect(others).toHaveLength(1);
    expect([first?.given_title, first?.resolved_title]).toEqual([SHOWN, SHOWN]);
    expect(tagsOf(await api.item(added))).toEqual([SHOWN]);
    expect(await api.names({ tag: TITLE })).toHaveLength(2);
  });

  it('are removed from imported titles and tags', async () => {
    const [title, tag] = [TITLE, TITLE].map((text) =>
      text.replaceAll(/[\u0000-\u001f]/g, '\u008d'),
    );
    const row = JSON.stringify({ url: 'https://example.com/imported', title, tags: [tag] });

    await new ImportApi(app, api).imported(`{"satchel":1}\n${row}\n`);

    const [item] = await api.items({ detailType: 'complete' });
    expect(item?.given_title).toBe(SHOWN);
    expect(tagsOf(item)).toEqual([SHOWN]);
  });

  it('are removed from the title of a fetched page', async () => {
    host.answer(ok(`<title>${TITLE.replaceAll('\u001b', '')}</title><p>Words.`));

    const item = await api.item(await api.saved(host.url('/found')));

    expect(item?.resolved_title).toBe(SHOWN);
  });

  it('are kept if they are direction marks, soft hyphens, joiners or combining marks', async () => {
    const title = 'שלום \u200fa\u200e, mi\u00adxed: 👩‍👩‍👧, e\u0301';

    const itemId = await api.saved('https://example.com/it', { title });

    expect(await api.item(itemId)).toMatchObject({ given_title: title });
  });
});

describe('tabs and line breaks inside a URL', () => {
  it('are removed, as in browsers', async () => {
    const sent = await api.sent({ action: 'add', url: BROKEN_URL });

    const [item] = await api.items();
    expect(sent.action_results).toEqual([true]);
    expect(item?.given_url).toBe(URL_OF_IT);
    expect(await api.saved(URL_OF_IT)).toBe(item?.item_id);
    expect(await api.saved(BROKEN_URL)).toBe(item?.item_id);
    expect(await api.names({ search: URL_OF_IT })).toEqual(['a/page']);
  });

  it('are removed from imported URLs', async () => {
    const row = JSON.stringify({ url: BROKEN_URL });

    await new ImportApi(app, api).imported(`{"satchel":1}\n${row}\n`);

    expect(await api.items()).toMatchObject([{ given_url: URL_OF_IT }]);
  });
});
