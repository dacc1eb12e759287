import { parseDocument } from '../../src/lib/extraction/dom.js';
import { aReader, locationOf, type Reader } from '../support/list-reader.js';
import { aVisitor } from '../support/oauth-api.js';
import { headingOf, type PageVisitor, shownText } from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

const choose = async (reader: Reader, layout: string, path = '/list') =>
  reader.submit(await reader.form(path, '/list/layout'), { layout });

async function layoutOf(visitor: PageVisitor): Promise<readonly (string | null | undefined)[]> {
  const { body } = parseDocument((await visitor.open('/list').expect(200)).text);
  return [
    body.querySelector('.items')?.getAttribute('data-layout'),
    body.querySelector('.layouts [aria-pressed="true"]')?.getAttribute('value'),
  ];
}

describe('the layout of the list', () => {
  it('is a list with excerpts at first, and the chosen layout afterwards, on each device', async () => {
    const reader = await aReader(app);
    const phone = await aVisitor(app, reader.user);
    const other = await aReader(app);
    expect(await layoutOf(reader)).toEqual(['list', 'list']);

    const answer = await choose(reader, 'compact', '/list?state=all&sort=title');

    expect(answer.status).toBe(303);
    expect(locationOf(answer)).toBe('/list?state=all&sort=title');
    expect(await layoutOf(phone)).toEqual(['compact', 'compact']);
    expect(await layoutOf(other)).toEqual(['list', 'list']);
    await choose(reader, 'cards');
    expect(await layoutOf(phone)).toEqual(['cards', 'cards']);
  });

  it('stays the same if the user changes the appearance, which stays the same too', async () => {
    const reader = await aReader(app);
    const _csrf = await reader.csrfToken();
    const appearance = { theme: 'dark', size: 'large', width: 'wide', face: 'sans' };
    await choose(reader, 'cards');
    await reader.post('/read/appearance', { _csrf, ...appearance, spacing: 'loose' }).expect(303);

    expect(await layoutOf(reader)).toEqual(['cards', 'cards']);
    await choose(reader, 'compact');
    const { text } = await reader.open('/list').expect(200);
    expect(text).toContain('data-theme="dark"');
    expect(text).toContain('data-face="sans"');
  });

  it.each(['', 'table', 'constructor', 'list, cards'])(
    'is not changed to %j, which returns an error page',
    async (layout) => {
      const reader = await aReader(app);
      await choose(reader, 'cards');

      const answer = await choose(reader, layout);

      expect(answer.status).toBe(400);
      expect(headingOf(answer)).toBe('Bad Request');
      expect(await layoutOf(reader)).toEqual(['cards', 'cards']);
    },
  );

  it('is not changed without the CSRF token, and never leads to another site', async () => {
    const reader = await aReader(app);
    await reader.post('/list/layout', { layout: 'cards' }).expect(403);
    expect(await layoutOf(reader)).toEqual(['list', 'list']);
    const form = await reader.form('/list', '/list/layout');

    const answer = await reader.submit(form, { layout: 'cards', back: '//evil.example/' });

    expect(locationOf(answer)).toBe('/list');
  });
});

describe('an item of the list', () => {
  it('shows its excerpt, authors, date and progress', async () => {
    const reader = await aReader(app);
    const media = { authors: [{ id: '1', name: 'Ada Byron', url: '' }], images: [], videos: [] };
    await app.database.query(
      `UPDATE items SET stamp = stamp + 1, excerpt = $1, media = $2, is_article = 1, word_count = 1100 WHERE given_title = 'c' AND item_id = $3`,
      [`It  begins\nhere. ${'x'.repeat(400)}`, JSON.stringify(media), reader.ids[2]],
    );
    await app.database.query(
      `INSERT INTO reading_positions SELECT user_id, item_id, 0.42, 7, now() FROM items WHERE item_id = $1
       AND user_id = (SELECT id FROM users WHERE email = $2)`,
      [reader.ids[2], reader.user.email],
    );

    const page = await reader.open('/list').expect(200);

    expect(shownText(page, '.items .excerpt')).toMatch(/^It begins here\. x{200,240}…$/);
    expect(shownText(page, '.items .facts')).toBe(
      'example.com Ada Byron Saved 14 November 2023 5 min 42% read',
    );
  });
});
