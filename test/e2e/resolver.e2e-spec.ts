import { readFileSync } from 'node:fs';

import type { AddedItemResponse } from '../../src/reading-list/add/add.presenter.js';
import { aFetcher } from '../support/a-fetcher.js';
import { until } from '../support/processes.js';
import { ok, PublicHost, redirect } from '../support/public-host.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const ARTICLE = readFileSync('test/fixtures/pages/article.html');
const TITLE = 'The lighthouse that learned to whisper';

/** A PDF without a cross-reference table, which readers repair. */
const PDF = `%PDF-1.4
1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj
2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj
3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 99 99]>> endobj
4 0 obj <</Title (Tides of the harbour)>> endobj
trailer <</Root 1 0 R /Info 4 0 R /Size 5>>
%%EOF
`;

const FUTURE =
  '<title>Tides</title><meta name="date" content="2098-12-24"><time datetime="2024-03-09">x</time>';

let host: PublicHost;
let app: TestApp;
let api: ReadingListApi;
let pages = 0;

/** Returns a new URL. */
const aUrl = (name = `page${(pages += 1)}.example`): string => host.url(`/${pages}`, name);

beforeAll(async () => {
  host = await PublicHost.start();
  app = await aTestApp({
    config: { resolverConcurrency: 2, resolveWaitMs: 60_000 },
    fetcher: aFetcher(host),
  });
});
afterAll(async () => {
  await app.close();
  await host.stop();
});
beforeEach(async () => {
  api = await ReadingListApi.of(app);
});

const add = async (members: object): Promise<AddedItemResponse> =>
  (await api.add(members).expect(200)).body.item;

const resolved = async (): Promise<boolean> => (await api.items())[0]?.resolved_id !== '0';

describe('a page that is added', () => {
  it('is fetched and parsed before the response', async () => {
    host.answer(ok(ARTICLE, 'ETag: "1"'));
    const url = aUrl();

    const item = await add({ url });

    expect(item).toMatchObject({
      ...{ given_url: url, normal_url: url, resolved_url: url, response_code: '200' },
      ...{ title: TITLE, mime_type: 'text/html', encoding: 'UTF-8', lang: 'en' },
      ...{ is_article: '1', is_index: '0', has_image: '1', login_required: '0' },
      ...{ content_length: String(ARTICLE.length), innerdomain_redirect: '0' },
      ...{ date_published: '2024-03-10 04:30:00', used_fallback: '0' },
      excerpt: expect.stringContaining('An old tower on the north pier'),
      resolved_id: expect.stringMatching(/^[1-9]\d*$/),
      domain_id: expect.stringMatching(/^[1-9]\d*$/),
      date_resolved: expect.stringMatching(/^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d$/),
    });
    expect(Number(item.word_count)).toBeGreaterThan(100);
    expect(Object.values(item.authors).map(({ name }) => name)).toEqual([
      'Ada Nordin',
      'Jon Vesterby',
    ]);
    expect(item.top_image_url).toContain('/pictures/lighthouse-1200x630.jpg');
    expect(await api.items({ detailType: 'complete', contentType: 'article' })).toMatchObject([
      { resolved_title: TITLE, word_count: item.word_count, authors: item.authors, has_image: '1' },
    ]);
    expect(await api.items({ search: 'learned to WHISPER' })).toHaveLength(1);
  });

  it('is returned to the next user without a fetch, and without data of the first user', async () => {
    host.answer(ok(ARTICLE));
    const url = aUrl();
    const first = await add({ url, title: 'Mine', tags: 'secret' });
    const asked = host.heads.length;
    api = await ReadingListApi.of(app);

    const second = await add({ url });

    expect(host.heads).toHaveLength(asked);
    expect(second.resolved_id).toBe(first.resolved_id);
    expect(await api.items({ tags: 1 })).toMatchObject([
      { given_title: '', resolved_title: TITLE },
    ]);
    expect((await api.items({ tags: 1 }))[0]?.tags).toEqual({});
  });

  it('is returned to the next user without the query and fragment that the first user saved', async () => {
    host.answer(ok(ARTICLE));
    const url = aUrl();
    const first = await add({ url: `${url}?fbclid=secret#token=secret` });
    api = await ReadingListApi.of(app);

    const second = await add({ url });

    expect(second.resolved_id).toBe(first.resolved_id);
    expect(JSON.stringify(second)).not.toContain('secret');
    expect(host.heads.join()).not.toContain('secret');
  });

  it('can be added without a scheme, with and without html', async () => {
    host.answer(ok(ARTICLE));
    const bare = (): string => aUrl().replace('http://', '');

    expect(await add({ url: bare() })).toMatchObject({ title: TITLE });
    expect(await add({ url: bare(), html: ARTICLE.toString() })).toMatchObject({
      resolved_url: expect.stringMatching(/^http:/),
    });
  });

  it('is the page at the end of the redirects', async () => {
    const url = aUrl('short.example');
    const target = aUrl('www.long.example');
    host.answer(redirect(target), ok(ARTICLE));

    expect(await add({ url })).toMatchObject({ given_url: url, resolved_url: target });
  });

  it('has the id of its item as resolved_id if no redirect occurs', async () => {
    host.answer(ok(ARTICLE));

    const item = await add({ url: `${aUrl()}?utm_source=a-friend#part` });

    expect(item).toMatchObject({ resolved_id: item.item_id, extended_item_id: item.item_id });
    expect(await api.items({ images: 1 })).toMatchObject([
      { resolved_id: item.item_id, image: { item_id: item.item_id } },
    ]);
  });

  it('has another resolved_id than the id of its item after a redirect', async () => {
    host.answer(redirect(aUrl('elsewhere.example')), ok(ARTICLE));

    const item = await add({ url: aUrl('here.example') });

    expect(item.resolved_id).toMatch(/^[1-9]\d*$/);
    expect(item.resolved_id).not.toBe(item.item_id);
  });

  it('pauses the host that returned 429, not the host that redirected to it', async () => {
    const busy = 'HTTP/1.1 429 Too Many\r\nRetry-After: 315360000\r\nContent-Length: 0\r\n\r\n';
    host.answer(redirect(aUrl('busy.example')), busy);

    expect(await add({ url: aUrl('tiny.example') })).toMatchObject({ resolved_id: '0' });
    expect(
      await app.database.query(
        `SELECT host, until < now() + interval '25 hours' AS is_bounded FROM host_pauses`,
      ),
    ).toEqual([{ host: 'busy.example', is_bounded: true }]);
  });

  it.each([
    ['image/png', Buffer.from(PNG(), 'base64'), { has_image: '2', title: 'dot.png' }],
    [
      'text/plain',
      Buffer.from('A heading\n\nSome words.'),
      { title: 'A heading', is_article: '1' },
    ],
    ['application/pdf', Buffer.from(PDF), { title: 'Tides of the harbour', is_article: '0' }],
    ['video/mp4', Buffer.from('0000'), { has_video: '2' }],
  ])('can be of the type %s', async (type, body, shown) => {
    host.answer(ok(body, `Content-Type: ${type}`));

    const item = await add({ url: `${aUrl()}/dot.png` });

    expect(item).toMatchObject(shown);
  });

  it.each([
    ['is fetched', {}],
    ['is sent', { html: FUTURE }],
  ])('that %s has no publication date in the future', async (_how, members) => {
    host.answer(ok(FUTURE));

    const item = await add({ url: aUrl(), ...members });

    expect(item).toMatchObject({ title: 'Tides', date_published: '2024-03-09 00:00:00' });
  });

  it('is fetched in the background for an action of /v3/send', async () => {
    host.answer(ok(ARTICLE));

    await api.send([{ action: 'add', url: aUrl(), title: 'My words' }]).expect(200);
    await until(resolved);

    expect(await api.items()).toMatchObject([
      { given_title: 'My words', resolved_title: 'My words' },
    ]);
    expect(await api.items({ search: 'whisper' })).toHaveLength(1);
  });
});

describe('a page that a client sends', () => {
  it('is parsed without a fetch, and is deleted with its item', async () => {
    const url = aUrl();
    host.speak((socket) => socket.destroy());

    const item = await add({ url, html: ARTICLE.toString() });

    expect(item).toMatchObject({ title: TITLE, is_article: '1', resolved_url: url });
    expect(host.heads).toEqual([]);
    const itemId = (await api.items())[0]!.item_id;
    const [other] = await app.database.query(`SELECT FROM pages WHERE item_id = $1`, [itemId]);
    expect(other).toBeDefined();
    await api.send([{ action: 'delete', item_id: itemId }]).expect(200);
    expect(await app.database.query(`SELECT FROM pages WHERE item_id = $1`, [itemId])).toEqual([]);
  });
});

describe('many long pages that clients send at once', () => {
  it('do not block the fetch of another page', async () => {
    host.answer(ok(ARTICLE));
    const html = `<p>${'a b '.repeat(450_000)}`;
    const order: string[] = [];
    const sent = Array.from({ length: 12 }, async () => {
      await api.add({ url: aUrl(), html });
      order.push('sent');
    });
    await Promise.race(sent);

    expect(await add({ url: aUrl() })).toMatchObject({ title: TITLE });
    order.push('fetched');
    await Promise.all(sent);

    expect(order.indexOf('fetched')).toBeLessThan(11);
  });
});

describe('an address that is not public', () => {
  const inside = (name: string): string => host.url('/', name);

  it.each([
    ['127.0.0.1', () => inside('127.0.0.1')],
    ['2130706433', () => inside('2130706433')],
    ['[::1]', () => inside('[::1]')],
    ['[::ffff:127.0.0.1]', () => inside('[::ffff:127.0.0.1]')],
    ['localhost', () => inside('localhost')],
  ])('is saved and never fetched: %s, by /v3/add and /v3/send', async (_name, url) => {
    expect(await add({ url: url() })).toMatchObject({ resolved_id: '0', title: url() });
    await api.send([{ action: 'add', url: `${url()}sent/${(pages += 1)}` }]).expect(200);
    await until(async () => (await leased()) === 0);

    expect((await api.items()).map(({ resolved_id }) => resolved_id)).toEqual(['0', '0']);
    expect(host.canaryHits).toBe(0);
  });

  it('is not fetched after a redirect', async () => {
    host.answer(redirect(inside('127.0.0.1')));

    expect(await add({ url: aUrl() })).toMatchObject({ resolved_id: '0' });
    expect(host.canaryHits).toBe(0);
  });
});

/** Returns the number of requested pages that have not been fetched yet or are being fetched. */
const leased = async (): Promise<number> =>
  (
    await app.database.query(
      `SELECT FROM page_requests LEFT JOIN pages USING (page_key) WHERE pages.page_key IS NULL OR lease IS NOT NULL`,
    )
  ).length;

/** Returns an image of one pixel. */
function PNG(): string {
  return 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
}
