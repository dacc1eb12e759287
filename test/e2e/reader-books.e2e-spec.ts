import type { Response } from 'supertest';

import { parseDocument } from '../../src/lib/extraction/dom.js';
import { compressedText } from '../../src/lib/util/compressed-text.js';
import { aVisitor } from '../support/oauth-api.js';
import { type PageVisitor, shownText } from '../support/page-visitor.js';
import { PictureSite } from '../support/picture-site.js';
import { until } from '../support/processes.js';
import { bookWithPictures, readEpub } from '../support/read-epub.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { storeArticle, storeArticles } from '../support/stored-articles.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let site: PictureSite;
let app: TestApp;
let api: ReadingListApi;
let visitor: PageVisitor;

beforeAll(async () => {
  site = await PictureSite.served();
  app = await aTestApp({
    config: {
      ...{ resolverConcurrency: 2, resolveWaitMs: 60_000 },
      resolverAllows: { addresses: ['127.0.0.1'], ports: [site.port] },
    },
  });
});
afterAll(async () => {
  await app.close();
  await site.stop();
});
beforeEach(async () => {
  api = await ReadingListApi.of(app);
  visitor = await aVisitor(app, api.user);
});

const bytesOf = (path: string) => visitor.open(path).responseType('blob');

const bookOf = ({ body }: Response) => readEpub(body as Buffer);

/** Saves a page and waits for its article. Then replaces the article if `html` is given. */
async function anArticle(name: string, html?: string, tags = ''): Promise<string> {
  const url = site.article(`${name}-${api.user.id}`, '/photo.jpg', '/drawing.png');
  const id = await api.saved(url, { tags });
  await visitor.open(`/read/${id}`).expect(200);
  if (html !== undefined) {
    const stored = await compressedText(html);
    await app.database.query(`UPDATE pages SET article = $1 WHERE url = $2`, [stored, url]);
  }
  return id;
}

const written = () =>
  until(async () => (await app.database.query('SELECT FROM due_texts')).length === 0);

const titlesOf = async (path: string): Promise<(string | null)[]> =>
  [
    ...parseDocument((await visitor.open(path).expect(200)).text).body.querySelectorAll(
      '.items h2 a',
    ),
  ].map(({ textContent }) => textContent);

const selected = async (...ids: readonly string[]) =>
  visitor
    .post('/list/export.epub', { _csrf: await visitor.csrfToken(), 'item[]': [...ids] })
    .responseType('blob');

describe('GET /read/:id/export.epub', () => {
  it('returns a book of the article with its pictures', async () => {
    const id = await anArticle('brook', undefined, 'rivers,to read');

    const response = await bookWithPictures(2, () =>
      bytesOf(`/read/${id}/export.epub`).expect(200),
    );

    const { headers } = response;
    expect(headers['content-type']).toBe('application/epub+zip');
    expect(headers['content-disposition']).toMatch(
      /^attachment; filename="Article brook[^"]*\.epub"$/,
    );
    expect(headers['content-length']).toBe(String((response.body as Buffer).length));
    expect(headers['cache-control']).toBe('private, no-store, no-transform');
    const book = await bookOf(response);
    expect(book.title).toMatch(/^Article \/brook/);
    expect(book).toMatchObject({ language: 'en', subjects: ['rivers', 'to read'] });
    expect(book.source).toContain(site.url);
    expect(Object.keys(book.pictures)).toEqual([
      'pictures/picture-1.jpg',
      'pictures/picture-2.png',
    ]);
    expect(book.cover).toBe('pictures/picture-1.jpg');
    const [chapter] = book.chapters;
    expect(book.chapters).toHaveLength(1);
    expect(chapter!.document.documentElement!.textContent).toContain('Every plain sentence');
  });

  it('returns only the text of a hostile article', async () => {
    const id = await anArticle(
      'hostile',
      `<div><p id="a" id="a" onclick="x()" style="color:red">One \u0001\ufffe<script>x()</script> &lt;two&gt; ]]&gt;</p>
       <p><table><td>cell<iframe src="https://x.example"></iframe><form action="/x"><input></form>
       <a href="javascript:x()">bad</a> <a href="#in">inside</a><svg><script>1</script></svg>
       <img src="https://elsewhere.example/spy.png" alt="a spy"></p><ul><b>no item<li>x`,
    );

    const { chapters } = await bookOf(await bytesOf(`/read/${id}/export.epub`).expect(200));

    const text = chapters[0]!.document.documentElement!.textContent ?? '';
    expect(text).toMatch(/One \s*<two> \]\]>/);
    expect(text).toMatch(/cell[^]*bad inside[^]*\[a spy\][^]*no item[^]*x/);
  });

  it('returns a book that explains why it has no text if the page cannot be fetched', async () => {
    const id = await api.saved('http://127.0.0.1:9/gone');

    const { chapters } = await bookOf(await bytesOf(`/read/${id}/export.epub`).expect(200));

    expect(chapters[0]!.document.documentElement!.textContent).toMatch(
      /could not fetch|not fetched this page yet/,
    );
  });

  it('returns the same book identifier each time, and another one for another article', async () => {
    const [a, b] = [await anArticle('same'), await anArticle('other')];
    const identifier = async (id: string) =>
      (await bookOf(await bytesOf(`/read/${id}/export.epub`))).identifier;

    const first = await identifier(a);

    expect(await identifier(a)).toBe(first);
    expect(await identifier(b)).not.toBe(first);
  });

  it.each(['0', '1', 'abc', '99999999999999999999'])('returns 404 for the id %s', async (id) => {
    await visitor.open(`/read/${id}/export.epub`).expect(404);
  });

  it('returns 404 for the item of another user, and redirects a visitor without a login', async () => {
    const id = await anArticle('secret');
    const other = await aVisitor(app, (await ReadingListApi.of(app)).user);

    await other.open(`/read/${id}/export.epub`).expect(404);
    const stranger = await fetch(`${app.url}/read/${id}/export.epub`, { redirect: 'manual' });
    expect(stranger.status).toBe(303);
  });
});

describe('GET /list/export.epub', () => {
  it('returns a book of the items on the list page, in the same order', async () => {
    await anArticle('first', undefined, 'rivers');
    await anArticle('second', undefined, 'rivers');
    await anArticle('third');

    const response = await bytesOf('/list/export.epub?tag=rivers&sort=oldest').expect(200);

    expect(response.headers['content-disposition']).toContain(
      'filename="Everything Tag rivers.epub"',
    );
    const book = await bookOf(response);
    expect(book.title).toBe('Everything: Tag rivers');
    expect(book.contents).toEqual([
      expect.stringContaining('/first'),
      expect.stringContaining('/second'),
    ]);
    expect(book.chapters).toHaveLength(2);
  });

  it('includes items of later list pages, up to 500', async () => {
    await app.database.query(`INSERT INTO lists (user_id) VALUES ($1) ON CONFLICT DO NOTHING`, [
      api.user.id,
    ]);
    await api.saved('https://example.com/first');
    await app.database.query(
      `INSERT INTO items (user_id, item_id, stamp, time_added, time_updated, given_url, given_title, title_key, url_key,
         search_text, number)
       SELECT $1, n, 1, n, n, 'https://example.com/' || n, 'T' || n, '', '', '', -n FROM generate_series(1, 520) n`,
      [api.user.id],
    );

    await storeArticles(app.database, api.user.id);

    const book = await bookOf(await bytesOf('/list/export.epub?state=all').expect(200));

    expect(book.chapters).toHaveLength(500);
    expect(book.contents.slice(0, 3)).toEqual([expect.anything(), 'T520', 'T519']);
    expect(new Set(book.contents).size).toBe(500);
  });

  it('omits pages that were not fetched', async () => {
    await anArticle('fetched');
    await api.saved('http://127.0.0.1:9/gone');

    const book = await bookOf(await bytesOf('/list/export.epub').expect(200));

    expect(book.contents).toEqual([expect.stringContaining('/fetched')]);
    expect(book.chapters).toHaveLength(1);
  });

  it('returns 404 with an explanation if no item matches', async () => {
    await anArticle('read');

    for (const query of ['state=favorites', 'search=unheard', 'search=unheard&in=titles']) {
      const page = await visitor.open(`/list/export.epub?${query}`).expect(404);
      expect(shownText(page)).toContain('No article matches');
      expect(page.headers['content-disposition']).toBeUndefined();
    }
  });

  it('finds the same items as the list page, in titles, addresses and texts', async () => {
    await anArticle('inside', '<p>Something about herons.</p>');
    const titled = await api.saved('https://example.com/wading-birds', { title: 'Wadingbirds' });
    await storeArticle(app.database, api.user.id, titled);
    await written();
    const contents = async (search: string) => {
      const path = `?search=${search}`;
      const titles = await titlesOf(`/list${path}`);
      const book = await bookOf(await bytesOf(`/list/export.epub${path}`).expect(200));
      expect(book.title).toBe(`Everything: Search ${search}`);
      expect(book.contents).toEqual(titles);
      return book.contents;
    };

    expect(await contents('adingbir')).toEqual(['Wadingbirds']);
    expect(await contents('sentence')).toEqual([expect.stringContaining('/inside')]);
  });

  it.each([
    ['Flüsse', `filename="Flusse.epub"; filename*=UTF-8''Fl%C3%BCsse.epub`],
    ['Реки', /^attachment; filename="article-\d+\.epub"; filename\*=UTF-8''%D0%A0[%\w]*\.epub$/],
  ])('has an ASCII and a UTF-8 file name: %s', async (title, name) => {
    const id = await api.saved('https://example.com/named', { title });

    const { headers } = await bytesOf(`/read/${id}/export.epub`).expect(200);

    expect(headers['content-disposition']).toEqual(
      typeof name === 'string' ? `attachment; ${name}` : expect.stringMatching(name),
    );
  });

  it('returns 400 for an invalid filter', async () => {
    await visitor.open('/list/export.epub?state=odd').expect(400);
  });

  it('returns its headers for HEAD', async () => {
    await anArticle('one');

    const response = await visitor.agent.head('/list/export.epub').expect(200);

    expect(response.headers['content-type']).toBe('application/epub+zip');
  });
});

describe('POST /list/export.epub', () => {
  it('returns a book of the selected items', async () => {
    const ids = [await anArticle('one'), await anArticle('two')];
    await anArticle('three');

    const book = await bookOf(await selected(...ids));

    expect(book.title).toBe('2 articles');
    expect(book.contents).toEqual([
      expect.stringContaining('/one'),
      expect.stringContaining('/two'),
    ]);
  });

  it('returns a book of all items of the view if the form selects them', async () => {
    const ids = [await anArticle('one'), await anArticle('two')];
    await api.send([{ action: 'favorite', item_id: ids[1] }]).expect(200);
    const _csrf = await visitor.csrfToken();
    const fields = { _csrf, all: '1', shown: '2000000000', back: '/list?state=favorites' };

    const answer = await visitor.post('/list/export.epub', fields).responseType('blob').expect(200);

    const book = await bookOf(answer);
    expect(book.contents).toEqual([expect.stringContaining('/two')]);
  });

  it('comes back to the list if nothing is selected', async () => {
    const answer = await selected();

    expect(answer.status).toBe(303);
    expect(answer.headers['location']).toBe('/list?done=nothing');
  });

  it('rejects a form with items of another user, or without the CSRF token', async () => {
    const id = await anArticle('one');
    const other = await aVisitor(app, (await ReadingListApi.of(app)).user);

    const foreign = { _csrf: await other.csrfToken(), 'item[]': [id] };
    expect((await other.post('/list/export.epub', foreign)).status).toBe(404);
    expect((await visitor.post('/list/export.epub', { 'item[]': [id] })).status).toBe(403);
  });
});
