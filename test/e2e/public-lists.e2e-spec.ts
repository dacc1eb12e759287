import request, { type Response, type Test } from 'supertest';

import { parseDocument } from '../../src/lib/extraction/dom.js';
import { LISTS, Publisher } from '../support/list-publisher.js';
import { headingOf, shownText } from '../support/page-visitor.js';
import { readAtom } from '../support/read-feed.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let ada: Publisher;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  ada = await Publisher.of(app);
});

/** Opens a page as a visitor without an account. */
const visit = (path: string, headers: Record<string, string> = {}): Test =>
  request(app.url)
    .get(path)
    .set({ Accept: 'text/html', ...headers });

const itemsOn = ({ text }: Response): { title: string; href: string | null }[] =>
  [...parseDocument(text).body.querySelectorAll('.shared-items h2 a')].map((link) => ({
    title: link.textContent ?? '',
    href: link.getAttribute('href'),
  }));

const titlesOn = (page: Response): string[] => itemsOn(page).map(({ title }) => title);

describe('the public page of a list', () => {
  it('is at an address of 128 random bits, and shows the list without a login', async () => {
    await ada.api.saved('https://sea.example/1', { tags: 'sea', title: 'At sea' });
    await ada.api.saved('https://land.example/', { tags: 'land', title: 'On land' });
    await ada.api.saved('https://sea.example/2', { tags: 'sea', title: 'On the coast' });

    const path = await ada.publish();

    expect(path).toMatch(/^\/shared\/lists\/[\da-f]{32}$/);
    const page = await visit(path).expect(200);
    expect(headingOf(page)).toBe('By the sea');
    expect(shownText(page)).toContain(`A list by ${ada.api.user.name}`);
    expect(titlesOn(page)).toEqual(['On the coast', 'At sea']);
    expect(itemsOn(page)[1]?.href).toBe('https://sea.example/1');
    expect(shownText(page)).toContain('sea.example');
    expect(page.text).toContain('rel="noreferrer nofollow"');
  });

  it('sets no cookie, runs no script and is stored by no shared cache', async () => {
    const path = await ada.publish();

    const { headers, text } = await visit(path).expect(200);

    expect(headers['set-cookie']).toBeUndefined();
    expect(text).not.toContain('<script');
    expect(headers).toMatchObject({
      'cache-control': 'private, no-cache',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'content-security-policy': expect.not.stringContaining('script-src') as string,
      vary: expect.stringContaining('Accept-Language') as string,
    });
    expect(text).toContain('<meta name="robots" content="noindex">');
    const head = await request(app.url).head(path).expect(200);
    expect(head.headers['etag']).toBe(headers['etag']);
  });

  it('answers 304 until the list changes', async () => {
    const path = await ada.publish();
    const { etag = '' } = (await visit(path)).headers as { etag?: string };
    await visit(path, { 'If-None-Match': etag }).expect(304);

    await ada.api.saved('https://sea.example/', { tags: 'sea' });

    await visit(path, { 'If-None-Match': etag }).expect(200);
  });

  it('may be indexed if the user allows it', async () => {
    const path = await ada.publish({ indexed: '1' });

    const { headers, text } = await visit(path).expect(200);

    expect(headers['x-robots-tag']).toBeUndefined();
    expect(text).not.toContain('name="robots"');
  });

  it('is in the language of the visitor, not of the user', async () => {
    const path = await ada.publish();

    const page = await visit(path, { 'Accept-Language': 'de' }).expect(200);

    expect(shownText(page)).toContain('Eine Liste von');
  });

  it('shows notes only if the user has chosen so', async () => {
    const itemId = await ada.api.saved('https://sea.example/', { tags: 'sea', title: 'At sea' });
    await app.database.query(`UPDATE items SET note = $1 WHERE user_id = $2 AND item_id = $3`, [
      'Read <b>this</b>\nfirst: https://me:secret@sea.example/',
      ...[ada.api.user.id, itemId],
    ]);
    const path = await ada.publish();
    expect((await visit(path)).text).not.toContain('Read');

    await ada.publish({ notes: '1' });

    const page = await visit(path).expect(200);
    expect(shownText(page, '.note')).toBe('Read <b>this</b> first: https://sea.example/');
  });

  it('shows the reading time of articles', async () => {
    await ada.api.saved('https://sea.example/', { tags: 'sea', title: 'At sea' });
    await app.database.query(
      'UPDATE items SET is_article = 1, word_count = 2000 WHERE user_id = $1',
      [ada.api.user.id],
    );

    expect(shownText(await visit(await ada.publish()), '.facts')).toBe('sea.example 9 min');
  });

  it('shows nothing else of the user', async () => {
    const itemId = await ada.api.saved('https://sea.example/', {
      ...{ tags: 'sea,secret-tag', title: 'At sea' },
    });
    await ada.send({ action: 'favorite', item_id: itemId });
    await ada.api.saved('https://other.example/', { title: 'Another' });
    const form = await ada.visitor.form('/list?state=archive', LISTS);
    await ada.visitor.submit(form, { name: 'Second list' }).expect(303);
    const path = await ada.publish({ notes: '1' });

    const texts = [(await visit(path)).text, await atomAt(`${path}.atom`)];

    for (const secret of [
      ...[itemId, 'secret-tag', 'Another', 'Second list', ada.id, ada.api.user.email, 'avorite'],
      ...[`"${ada.api.user.id}"`, '/read/', '/list?'],
    ]) {
      expect(texts.filter((text) => text.includes(secret))).toEqual([]);
    }
  });

  it('never shows an email address as the name of the user', async () => {
    const path = await ada.publish();
    await app.database.query('UPDATE users SET name = email WHERE id = $1', [ada.api.user.id]);

    const { text } = await visit(path).expect(200);

    expect(text).not.toContain(ada.api.user.email);
    expect(text).toContain(ada.api.user.email.split('@')[0]);
  });

  it('hides credentials, fragments and trackers, and leaves private addresses out', async () => {
    const urls = [
      'https://user:pass@sea.example/a?b=1&utm_source=me#token',
      ...['http://localhost/x', 'http://nas/', 'http://192.168.1.1/', 'http://[fd00::1]/'],
      ...['http://printer.local/', 'http://0x7f.1/', 'http://wiki.corp./', 'http://10.0.0.1:80/'],
      'https://sea.example/https://me:secret@inner.example/',
    ];
    await ada.send(...urls.map((url) => ({ action: 'add', url, tags: 'sea' })));

    const path = await ada.publish();

    const page = await visit(path).expect(200);
    const hrefs = itemsOn(page).map(({ href }) => href);
    expect(hrefs.toSorted()).toEqual([
      'https://sea.example/a?b=1',
      'https://sea.example/https://inner.example/',
    ]);
    for (const text of [page.text, await atomAt(`${path}.atom`)]) {
      expect(text).not.toMatch(/pass|secret|token|utm_|localhost|192\.168|printer|wiki/);
    }
  });

  it('shows hostile titles and addresses as text', async () => {
    const title = `<img src=x onerror="alert(1)">\u202e"'</a>`;
    await ada.api.saved('https://sea.example/"><script>', { tags: 'sea', title });
    await app.database.query(
      `UPDATE items SET given_url = 'javascript:alert(1)' WHERE user_id = $1 AND given_url LIKE '%js%'`,
      [ada.api.user.id],
    );
    const path = await ada.publish();

    const page = await visit(path).expect(200);

    expect(titlesOn(page)).toEqual([`<img src=x onerror="alert(1)">"'</a>`]);
    expect(page.text).not.toMatch(/<script|<img src=x|javascript:/);
    expect(readAtom(await atomAt(`${path}.atom`)).entries[0]?.title).toContain('<img src=x');
  });

  it('leaves out an item without a web address', async () => {
    await ada.api.saved('https://sea.example/', { tags: 'sea', title: 'Script' });
    await app.database.query(
      `UPDATE items SET given_url = 'javascript:alert(1)' WHERE user_id = $1`,
      [ada.api.user.id],
    );

    expect(titlesOn(await visit(await ada.publish()))).toEqual([]);
  });

  it('has pages of 40 items', async () => {
    const actions = Array.from({ length: 85 }, (_, at) => ({
      ...{ action: 'add', url: `https://sea.example/${at}`, title: `n${at}`, tags: 'sea' },
      time: String(1_700_000_000 + at),
    }));
    await ada.send(...actions.slice(0, 50));
    await ada.send(...actions.slice(50));
    const path = await ada.publish();

    const [first, second, third] = [
      await visit(path).expect(200),
      await visit(`${path}?page=2`).expect(200),
      await visit(`${path}?page=3`).expect(200),
    ];

    expect(titlesOn(first).at(0)).toBe('n84');
    expect([first, second, third].map((page) => titlesOn(page).length)).toEqual([40, 40, 5]);
    expect(titlesOn(third).at(-1)).toBe('n0');
    expect(first.text).toContain(`href="${path}?page=2" rel="next"`);
    expect(second.text).toContain(`href="${path}" rel="prev"`);
    expect(third.text).not.toContain('rel="next"');
    for (const page of ['4', '0', '-1', '1.5', 'x', '251', '99999']) {
      await visit(`${path}?page=${page}`).expect(404);
    }
  });

  it('has an Atom feed, whose times reveal only when items were added', async () => {
    const itemId = await ada.api.saved('https://sea.example/', {
      ...{ tags: 'sea', title: 'At sea', time: 1_700_000_000 },
    });
    await ada.send({ action: 'favorite', item_id: itemId });
    const path = await ada.publish();

    const feed = readAtom(await atomAt(`${path}.atom`));

    expect(feed).toMatchObject({
      title: `By the sea · A list by ${ada.api.user.name}`,
      links: { self: `${app.url}${path}.atom`, alternate: `${app.url}${path}` },
    });
    const [entry] = feed.entries;
    expect(entry).toMatchObject({
      title: 'At sea',
      tags: [],
      links: { alternate: 'https://sea.example/' },
    });
    expect(entry?.updated).toBe(entry?.published);
    const { headers } = await visit(`${path}.atom`).expect(200);
    expect(headers['content-type']).toContain('application/atom+xml');
    await visit(`${path}.atom`, { 'If-None-Match': String(headers['etag']) }).expect(304);
  });
});

async function atomAt(path: string): Promise<string> {
  const { body } = await visit(path).buffer(true).responseType('blob').expect(200);
  return (body as Buffer).toString();
}
