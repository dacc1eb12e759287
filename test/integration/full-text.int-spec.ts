import { Logger } from '@nestjs/common';

import { PageRepository } from '../../src/articles/resolver/page.repository.js';
import { StoredPageTexts } from '../../src/articles/resolver/stored-page-texts.js';
import { compressedText } from '../../src/lib/util/compressed-text.js';
import { type ItemPage, recordPages } from '../../src/reading-list/pages/record-pages.js';
import { COSTS } from '../../src/reading-list/query/costs.js';
import { ItemQuery } from '../../src/reading-list/query/item.query.js';
import type { ItemFilter, ItemsWanted } from '../../src/reading-list/query/items-wanted.js';
import { DueTextRepository } from '../../src/reading-list/texts/due-text.repository.js';
import { ItemTextRepository } from '../../src/reading-list/texts/item-text.repository.js';
import { Passages } from '../../src/reading-list/texts/passages.service.js';
import { TextIndexer } from '../../src/reading-list/texts/text-indexer.js';
import { ListsOnPostgres } from '../support/a-list.js';
import { aParsedPage } from '../support/a-page.js';

interface Saved {
  readonly title?: string;
  readonly article?: string;
  readonly lang?: string;
  readonly actions?: readonly object[];
}

let lists: ListsOnPostgres;
let indexer: TextIndexer;
let passages: Passages;
let user: string;
let saved = 0;

beforeAll(async () => {
  lists = await ListsOnPostgres.start();
  const { manager } = lists.database;
  const texts = ItemTextRepository.in(manager);
  const pages = new StoredPageTexts(PageRepository.in(manager));
  const due = DueTextRepository.in(manager);
  indexer = new TextIndexer(lists.database, due, pages);
  passages = new Passages(texts, pages);
});
afterAll(() => lists.stop());
beforeEach(async () => {
  user = await lists.aUser();
});

/** Saves a fetched page for the user, each with a later time than the previous one. */
async function save(
  slug: string,
  { title = 'A page', article = '', lang = 'en', actions = [] }: Saved = {},
): Promise<void> {
  saved += 1;
  const url = `https://site.example/${slug}`;
  await lists.send(user, [{ action: 'add', url, time: String(1_600_000_000 + saved) }]);
  const [item] = await lists.tables.query<{ item_id: string }>(
    'SELECT item_id FROM items WHERE user_id = $1 AND given_url = $2',
    [user, url],
  );
  const html = await compressedText(article);
  const [page] = await lists.tables.query<{ page_id: string }>(
    `INSERT INTO pages (page_key, url, host, content, article, fetched_at, first_fetched_at)
     VALUES (sha256($1::text::bytea), $1, 'site.example', '{}', $2, now(), now()) RETURNING page_id`,
    [`${url}?${saved}`, html],
  );
  const itemPage: ItemPage = {
    ...aParsedPage(title).record.item,
    ...{ resolvedId: page!.page_id, resolvedUrl: url, lang, excerpt: '' },
  };
  await lists.database.transaction(async (manager) => {
    await recordPages(manager, user, new Map([[item!.item_id, itemPage]]));
  });
  await lists.send(
    user,
    actions.map((action) => ({ ...action, item_id: item!.item_id })),
  );
}

async function write(): Promise<void> {
  while (await indexer.writeNext()) {
    // `follow` has done one batch.
  }
}

const slugs = (rows: readonly { readonly given_url: string }[]): string[] =>
  rows.map(({ given_url: url }) => url.replace('https://site.example/', ''));

/** Searches as for a short list and as for a long list. Both must find the same items. */
async function found(
  text: string,
  filter: ItemFilter = {},
  wanted: Partial<ItemsWanted> = { isRanked: true },
): Promise<string[]> {
  const question: ItemsWanted = {
    ...{ order: 'newest', page: { count: 30, offset: 0 } },
    ...wanted,
    filter: { ...filter, text },
  };
  const { manager } = lists.database;
  const short = await new ItemQuery(manager, user).find(question);
  const long = await new ItemQuery(manager, user, { shortList: 0, costs: COSTS }).find(question);
  expect(slugs(long.rows)).toEqual(slugs(short.rows));
  return slugs(short.rows);
}

const passageOf = async (text: string): Promise<string | undefined> => {
  const { rows } = await new ItemQuery(lists.database.manager, user).find({
    filter: { text },
    order: 'newest',
    page: { count: 1, offset: 0 },
  });
  const [passage] = (await passages.of(user, text, rows)).values();
  return passage?.map((piece) => (piece.isMatch ? `[${piece.text}]` : piece.text)).join('');
};

describe('a text search', () => {
  it('finds inflected words in the language of each article', async () => {
    await save('shoes', { article: '<p>She was running in old shoes.</p>' });
    await save('haus', { article: '<p>Die Häuser am Ufer.</p>', lang: 'de' });
    await save('maison', { article: '<p>Les maisons de la forêt.</p>', lang: 'fr' });
    await save('unknown', { article: '<p>Numquam dixit runs.</p>', lang: '' });
    await write();

    expect(await found('run shoe')).toEqual(['shoes']);
    expect(await found('Haus')).toEqual(['haus']);
    expect(await found('hauser')).toEqual(['haus']);
    expect(await found('MAISON')).toEqual(['maison']);
    expect(await found('foret')).toEqual(['maison']);
    expect(await found('runs')).toEqual(expect.arrayContaining(['shoes', 'unknown']));
  });

  it('finds phrases and alternatives, and leaves out excluded words', async () => {
    await save('york', { article: '<p>The city of New York is large.</p>' });
    await save('apart', { article: '<p>York has a new bridge.</p>' });
    await save('paris', { article: '<p>Paris is large, too.</p>' });
    await write();

    expect(await found('"new york"')).toEqual(['york']);
    expect(await found('york -bridge')).toEqual(['york']);
    expect(await found('york -"new york"')).toEqual(['apart']);
    expect(await found('bridge or paris')).toEqual(['paris', 'apart']);
    expect(await found('"city of new york" large')).toEqual(['york']);
  });

  it('finds Chinese, Japanese and Thai text by adjacent characters', async () => {
    await save('tokyo', { article: '<p>東京都の天気は晴れです。</p>', lang: 'ja' });
    await save('kyoto', { article: '<p>京都の寺。東の空。</p>', lang: 'ja' });
    await save('thai', { article: '<p>ภาษาไทยง่ายนิดเดียว</p>', lang: 'th' });
    await write();

    expect(await found('東京')).toEqual(['tokyo']);
    expect((await found('京都')).toSorted()).toEqual(['kyoto', 'tokyo']);
    expect(await found('ภาษาไทย')).toEqual(['thai']);
    expect(await passageOf('東京')).toBe('[東京]都の天気は晴れです。');
  });

  it('ranks matches in the title first, then in the address, then in the article', async () => {
    await save('one', { title: 'Gardens', article: '<p>Of roses.</p>' });
    await save('garden-path', { title: 'A path', article: '<p>Of stones.</p>' });
    await save('long', { article: `<p>A garden. ${'Other things. '.repeat(300)}</p>` });
    await save('short', { article: '<p>A garden and another garden.</p>' });
    await write();

    expect(await found('garden')).toEqual(['one', 'garden-path', 'short', 'long']);
    expect(await found('garden', {}, { order: 'oldest' })).toEqual([
      ...['one', 'garden-path', 'long', 'short'],
    ]);
    expect(await found('garden', {}, { isRanked: true, page: { count: 2, offset: 1 } })).toEqual([
      ...['garden-path', 'short'],
    ]);
  });

  it('can be combined with other filters', async () => {
    const article = '<p>The same words.</p>';
    await save('plain', { article });
    await save('kept', { article, actions: [{ action: 'favorite' }, { action: 'archive' }] });
    await save('tagged', { article, actions: [{ action: 'tags_add', tags: 'later' }] });
    await save('other', { article: '<p>Nothing alike.</p>', actions: [{ action: 'favorite' }] });
    await write();

    expect(await found('words', { favorite: true })).toEqual(['kept']);
    expect(await found('words', { state: 'archive' })).toEqual(['kept']);
    expect(await found('words', { tag: { key: 'later' } })).toEqual(['tagged']);
    expect(await found('words', { domain: 'site.example', search: 'plain' })).toEqual(['plain']);
    expect(await found('"same words"', { state: 'unread' }, { order: 'title' })).toHaveLength(2);
  });

  it('uses the new text of a changed page, and nothing of a deleted item', async () => {
    await save('page', { title: 'Before', article: '<p>Heron.</p>' });
    await write();
    expect(await found('heron')).toEqual(['page']);

    await save('page', { title: 'After', article: '<p>Egret.</p>' });
    await write();
    expect(await found('heron')).toEqual([]);
    expect(await found('egret after')).toEqual(['page']);

    const [row] = await lists.tables.query<{ item_id: string }>(
      'SELECT item_id FROM items WHERE user_id = $1',
      [user],
    );
    await lists.send(user, [{ action: 'delete', item_id: row!.item_id }]);
    expect(await found('egret')).toEqual([]);
    expect(await lists.tables.query('SELECT FROM item_texts WHERE user_id = $1', [user])).toEqual(
      [],
    );
  });

  it('never finds items of another user', async () => {
    await save('mine', { article: '<p>A secret word: xylograph.</p>' });
    await write();
    const first = user;
    user = await lists.aUser();
    await save('theirs', { article: '<p>Something else.</p>' });
    await write();

    expect(await found('xylograph')).toEqual([]);
    expect(await found(`xylograph or "#${first}" or ${first}`)).toEqual([]);
  });

  it.each([
    '',
    'the of and',
    '!&|<->():*\\',
    `''':*'`,
    '"'.repeat(256),
    '('.repeat(256),
    'a\u0000b',
    Array(86).fill('or').join(' '),
  ])('accepts %j', async (text) => {
    await save('page', { article: '<p>An ordinary page.</p>' });
    await write();

    expect(await found(text)).toEqual([]);
    expect(await found(`${text} ordinary "`, {}, { order: 'title' })).toBeInstanceOf(Array);
  });

  it('indexes only the start of a very long article, and shows passages as plain text', async () => {
    const words = Array.from({ length: 300_000 }, (_, n) => `w${n}ord`);
    await save('huge', { title: 'Huge', article: `<p>${words.join(' ')}</p>` });
    await save('small', { article: '<p>if a &lt;script&gt; &amp;amp; b, <b>bo</b>ld w5ord.</p>' });
    await write();

    expect(await found('w5ord -script')).toEqual(['huge']);
    expect(await found('w299999ord')).toEqual([]);
    expect(await passageOf('bold')).toBe('if a <script> &amp; b, [bold] w5ord.');
  });

  it('finds existing items after they are indexed in the background', async () => {
    await save('page', { article: '<p>Heron.</p>' });
    await lists.tables.query('DELETE FROM item_texts');
    await lists.tables.query(
      'INSERT INTO due_texts SELECT user_id, item_id FROM items ON CONFLICT DO NOTHING',
    );
    await write();

    expect(await found('heron')).toEqual(['page']);
    expect(await lists.tables.query('SELECT FROM due_texts')).toEqual([]);
  });
});

describe('a passage', () => {
  it('shows the place with most of the search words', async () => {
    const filler = 'Nothing of it stands here. '.repeat(40);
    await save('page', {
      article: `<p>A heron.</p><p>${filler}</p><p>Herons and <i>egrets</i> wade.</p><p>${filler}</p>`,
    });
    await write();

    expect(await passageOf('heron egret')).toMatch(
      /^….*here\. \[Herons\] and \[egrets\] wade\. Nothing.*…$/,
    );
  });

  it('is missing if only the title matches', async () => {
    await save('page', { title: 'Heron', article: '<p>Egret.</p>' });
    await write();

    expect(await found('heron')).toEqual(['page']);
    expect(await passageOf('heron')).toBeUndefined();
  });
});

describe('an item whose article cannot be indexed', () => {
  it('does not block other items, and is found by its title', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const article = '<p>Heron.</p>';
    await save('fine', { article });
    await save('spoilt', { title: 'Egret', article });
    await save('fine-too', { article });
    await lists.tables.query(`UPDATE pages SET article = 'no brotli' WHERE url LIKE '%/spoilt?%'`);
    await write();

    expect(await found('heron')).toEqual(['fine-too', 'fine']);
    expect(await found('egret')).toEqual(['spoilt']);
    expect(logged).toHaveBeenCalledTimes(1);
    logged.mockRestore();
  });
});
