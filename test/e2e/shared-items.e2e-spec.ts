import type { Response, Test } from 'supertest';

import { parseDocument } from '../../src/lib/extraction/dom.js';
import { shownText } from '../support/page-visitor.js';
import { PictureSite } from '../support/picture-site.js';
import { NOTE, openAsStranger, Sharer } from '../support/sharer.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let site: PictureSite;
let app: TestApp;
let ada: Sharer;

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
  ada = await Sharer.of(app, site);
});

const open = (path: string, language = 'en'): Test => openAsStranger(app, path, language);

const picturesIn = ({ text }: Response): string[] =>
  Array.from(
    parseDocument(text).body.querySelectorAll('article img'),
    (picture) => picture.getAttribute('src') ?? '',
  );

describe('a shared article', () => {
  it('is shown to everyone who knows the link, with its pictures', async () => {
    const link = await ada.share();

    const page = await open(link).expect(200);

    expect(link).toMatch(/^\/shared\/[\w-]{56}$/);
    expect(shownText(page, 'h1')).toContain('Article /shared-');
    const text = shownText(page);
    expect(text).toContain(`Shared by ${ada.api.user.name}`);
    expect(text).toContain('Every plain sentence of this article');
    expect(text).toContain('127.0.0.1');
    expect(text).toContain('min');
    expect(page.text).toContain(`href="${ada.url.replaceAll('&', '&amp;')}"`);
    const [picture] = picturesIn(page);
    expect(picture).toBe(`${link}/pictures/1`);
    const { headers, body } = await open(picture!).expect(200);
    expect(headers).toMatchObject({ 'content-type': 'image/png', 'x-robots-tag': 'noindex' });
    expect((body as Buffer).length).toBeGreaterThan(100);
    await open(`${link}/pictures/2`).expect(404);
    await open(`${link}/pictures/0`).expect(404);
    await open(`${link}/pictures/1e1`).expect(404);
  });

  it('has headers against tracking, indexing, scripts and stale copies, and sets no cookie', async () => {
    const link = await ada.share();

    const { headers, text } = await open(link).expect(200);

    expect(headers).toMatchObject({
      ...{ 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' },
      ...{ 'cache-control': 'private, no-cache', vary: expect.stringContaining('Accept-Language') },
    });
    expect(headers['content-security-policy']).toBe(
      `default-src 'none';style-src 'self';base-uri 'none';frame-ancestors 'none';img-src 'self' data:;form-action 'none'`,
    );
    expect(headers).not.toHaveProperty('set-cookie');
    expect(headers).not.toHaveProperty('satchel-user');
    expect(text).toContain('<meta name="robots" content="noindex">');
    expect(text).not.toMatch(/<script|<form|<input/);
  });

  it('reveals nothing else of the user', async () => {
    const link = await ada.share();

    const { text } = await open(link).expect(200);

    for (const secret of [ada.api.user.email, NOTE, 'secret-tag', 'marked', '<mark', ada.id]) {
      expect(text).not.toContain(secret);
    }
    expect(text).not.toMatch(/\/images\/|\/read\/|\/list/);
  });

  it('shows the note only if the user includes it', async () => {
    const link = await ada.share({ note: '1' });
    expect(shownText(await open(link))).toContain(`Note by ${ada.api.user.name} ${NOTE}`);

    expect(await ada.share({ days: 'same' })).toBe(link);

    expect((await open(link).expect(200)).text).not.toContain(NOTE);
  });

  it('never shows the email address as the name', async () => {
    await app.database.query('UPDATE users SET name = upper(email) WHERE id = $1', [
      ada.api.user.id,
    ]);
    const link = await ada.share();

    const { text } = await open(link).expect(200);

    expect(text.toLowerCase()).not.toContain(ada.api.user.email.toLowerCase());
    expect(text).toContain(
      `Shared by <bdi>${ada.api.user.email.split('@')[0]!.toUpperCase()}</bdi>`,
    );
  });

  it('is shown in the language of the visitor and keeps its own', async () => {
    const link = await ada.share();

    const { text } = await open(link, 'ar').expect(200);

    expect(text).toMatch(/<html lang="ar" dir="rtl">/);
    expect(text).toMatch(/id="article-text" dir="auto" lang="en"/);
    expect(text).toContain('شاركها');
  });

  it('is not sent again to a client that has it', async () => {
    const link = await ada.share();
    const { headers } = await open(link).expect(200);
    const etag = String(headers['etag']);
    const known = (language = 'en'): Test => open(link, language).set('If-None-Match', etag);

    const same = await known().expect(304);

    expect(same.text).toBe('');
    await known('de').expect(200);
    await ada.api.sent({ action: 'set_note', item_id: ada.id, note: 'Another' });
    await known().expect(304);
    await ada.share({ note: '1' });
    await known().expect(200);
    await ada.revoke();
    await known().expect(404);
  });
});
