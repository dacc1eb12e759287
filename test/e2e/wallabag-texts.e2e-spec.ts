import { randomBytes } from 'node:crypto';

import { compressedText } from '../../src/lib/util/compressed-text.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { WallabagCaller } from '../support/wallabag-caller.js';

let app: TestApp;
let ada: WallabagCaller;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  ada = await WallabagCaller.of(app);
});

const at = (name: string): string => `https://example.com/${name}`;

describe('the content fields of entries', () => {
  it('are returned in lists and single entries, with a notice if there is no article', async () => {
    await ada.v3.results(
      ...['read', 'empty', 'failed', 'waits'].map((name) => ({ action: 'add', url: at(name) })),
    );
    await keepPage('read', await compressedText('<p>An <em>article</em></p>'));
    await keepPage('empty', null);
    await app.database.query(
      `DELETE FROM page_requests USING items i
       WHERE i.user_id = page_requests.user_id AND i.item_id = page_requests.item_id AND i.given_url <> $1`,
      [at('waits')],
    );

    const { items } = await ada.list({ order: 'asc' });
    const { items: metadata } = await ada.list({ order: 'asc', detail: 'metadata' });

    expect(items.map(({ content }) => content)).toEqual([
      '<p>An <em>article</em></p>',
      '<p>No text was found on this page.</p>',
      '<p>This page could not be read.</p>',
      '<p>This page is being read.</p>',
    ]);
    expect(items[0]).toMatchObject({
      ...{ mimetype: 'text/html', http_status: '203', published_at: '2024-05-06T07:08:09+0000' },
    });
    expect(metadata.map(({ content }) => content)).toEqual([null, null, null, null]);
    expect((await ada.entry(items[0]!.id)).content).toBe('<p>An <em>article</em></p>');
    expect(await ada.names({ http_status: 203, notParsed: 0, order: 'asc' })).toEqual([
      'read',
      'empty',
    ]);
    expect(await ada.names({ notParsed: 1, order: 'asc' })).toEqual(['failed', 'waits']);
    const text = await ada.get(`entries/${items[0]!.id}/export.txt`).expect(200);
    expect(text.text).toContain('An article');
  });

  it.each(['json', 'csv', 'xml', 'md'])(
    'are missing in an exported %s of a page that was not fetched',
    async (format) => {
      const id = await ada.saved(at('waits'));

      const { text } = await ada.get(`entries/${id}/export.${format}`).expect(200);

      expect(text).toContain(at('waits'));
      expect(text).not.toMatch(/being read|could not be read|No text was found/);
    },
  );

  it('are returned completely for many large articles', async () => {
    await ada.v3.results(
      ...Array.from({ length: 40 }, (_, n) => ({ action: 'add', url: at(`large-${n}`) })),
    );
    const random = (): string => randomBytes(150_000).toString('base64');
    for (let n = 0; n < 40; n += 1) {
      await keepPage(`large-${n}`, await compressedText(`<p>${n} ${random()}</p>`));
    }

    const { items } = await ada.list({ order: 'asc', perPage: 300 });

    expect(items.map(({ content }) => /^<p>(\d+) /.exec(content!)?.[1])).toEqual(
      Array.from({ length: 40 }, (_, n) => String(n)),
    );
    expect(items.every(({ content }) => content!.length > 200_000)).toBe(true);
  });
});

async function keepPage(name: string, article: Buffer | null): Promise<void> {
  const facts = { mimeType: 'text/html', responseCode: 203, datePublished: '2024-05-06T07:08:09Z' };
  await app.database.query(
    `WITH page AS (
       INSERT INTO pages (page_key, url, host, content, article, fetched_at, first_fetched_at)
       VALUES ($1, $2, 'example.com', $3, $4, now(), now()) RETURNING page_id)
     UPDATE items SET resolved_id = page_id, resolved_url = $2 FROM page WHERE given_url = $2 AND user_id = $5`,
    [randomBytes(32), at(name), JSON.stringify({ facts }), article, ada.v3.user.id],
  );
}
