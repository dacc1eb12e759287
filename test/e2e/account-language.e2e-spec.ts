import request from 'supertest';

import { FeedsService } from '../../src/apis/feeds/feeds.service.js';
import { CatalogueReader, textOf } from '../support/catalogue-reader.js';
import { aVisitor } from '../support/oauth-api.js';
import { type PageVisitor, shownText } from '../support/page-visitor.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { storeArticle } from '../support/stored-articles.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { unzipped } from '../support/unzipped.js';

let app: TestApp;
let api: ReadingListApi;
let visitor: PageVisitor;
let saved: string;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  api = await ReadingListApi.of(app);
  visitor = await aVisitor(app, api.user);
  saved = await api.saved('https://example.com/1', { tags: 'rivers' });
});

const setLanguages = (language: string | null, browserLanguage: string | null) =>
  app.database.query('UPDATE users SET language = $2, browser_language = $3 WHERE id = $1', [
    api.user.id,
    language,
    browserLanguage,
  ]);

async function chapterOf(): Promise<string> {
  const { body } = await visitor
    .open(`/read/${saved}/export.epub`)
    .set('Accept-Language', 'fr')
    .responseType('blob')
    .expect(200);
  return (await unzipped(body as Buffer))['book/chapter-1.xhtml']!;
}

describe('the language of the account', () => {
  it.each([
    ['de', null, 'Ungelesen'],
    ['de', 'it', 'Ungelesen'],
    [null, 'it', 'Non letti'],
    [null, null, 'Unread'],
    ['xx', null, 'Unread'],
  ])('is the language of the catalogue: %s, %s', async (language, browserLanguage, unread) => {
    await setLanguages(language, browserLanguage);
    const reader = await CatalogueReader.of(app, api.user);

    const start = await reader.feed('/opds');
    const shelf = await reader.feed('/opds/unread');

    expect(start.entries[0]!.title).toBe(unread);
    expect(shelf.title).toBe(unread);
    expect(shelf.entries).toHaveLength(1);
  });

  it('is the language of the search in the catalogue, whatever the e-reader prefers', async () => {
    await setLanguages('de', null);
    const reader = await CatalogueReader.of(app, api.user);

    const answer = await reader.get('/opds/search.xml').set('Accept-Language', 'fr').expect(200);

    expect(textOf(answer)).toContain('durchsuchen');
  });

  it('is the language of the titles of feeds, which change with it', async () => {
    const feeds = app.app.get(FeedsService);
    await feeds.issue(api.user);
    const path = `${(await feeds.pathsOf(api.user.id))!.tags}rivers.json`;
    const english = await request(app.url).get(path).expect(200);

    await setLanguages('de', null);
    const german = await request(app.url)
      .get(path)
      .set('If-None-Match', english.headers['etag']!)
      .expect(200);

    const titles = [english, german].map(
      ({ text }) => (JSON.parse(text) as { title: string }).title,
    );
    expect(titles).toEqual(['Tag rivers · Satchel', 'Tag rivers · Satchel']);
    expect(german.headers['etag']).not.toBe(english.headers['etag']);
  });

  it('is the language of notes in books, but not of their articles', async () => {
    await setLanguages('de', null);

    const missing = await chapterOf();
    await storeArticle(app.database, api.user.id, saved);
    await app.database.query(
      `UPDATE items SET lang = 'ar', word_count = 2000, is_article = 1 WHERE item_id = $1`,
      [saved],
    );
    const arabic = await chapterOf();

    expect(missing).toContain('<p lang="de" xml:lang="de" dir="ltr">');
    expect(arabic).toMatch(/<html [^>]*lang="ar" xml:lang="ar" dir="rtl">/);
    expect(arabic).toMatch(/\d+ Min\./);
  });

  it('decides the direction of notes in books', async () => {
    await setLanguages('ar', null);

    expect(await chapterOf()).toContain('<p lang="ar" xml:lang="ar" dir="rtl">');
  });
});

describe('the names of languages in the filter', () => {
  it('are in the language of the page, in its alphabetical order', async () => {
    for (const lang of ['de', 'ja', 'uk', 'en', 'ar']) {
      const id = await api.saved(`https://example.com/${lang}`);
      await app.database.query('UPDATE items SET lang = $2 WHERE item_id = $1', [id, lang]);
    }

    const namesIn = async (language: string) =>
      shownText(
        await visitor.open('/list?language=de').set('Accept-Language', language).expect(200),
        '#filter-language',
      );

    expect(await namesIn('en')).toMatch(/Arabic English German Japanese Ukrainian$/);
    expect(await namesIn('de')).toMatch(/Arabisch Deutsch Englisch Japanisch Ukrainisch$/);
    expect(await namesIn('pl')).toMatch(/angielski arabski japoński niemiecki ukraiński$/);
    const page = await visitor.open('/list?language=de').set('Accept-Language', 'de');
    expect(shownText(page, '.chips')).toContain('Deutsch');
  });
});

describe('an error on a page', () => {
  const open = (path: string) =>
    visitor.open(path).set({ 'Accept-Language': 'de', Accept: 'text/html' });

  it.each([
    ['/read/1', 404, 'Dieser Eintrag ist nicht in der Liste.'],
    ['/save/done?item=x', 404, 'Dieser Eintrag ist nicht in der Liste.'],
    ['/list?state=x', 400, 'Satchel kann diese Anfrage nicht verarbeiten.'],
    ['/list/export.epub?tag=unknown', 404, 'Kein Artikel passt'],
    ['/account/imports/1', 404, 'Unter dieser Adresse gibt es keine Seite.'],
    ['/admin', 403, 'Das ist Administratoren vorbehalten.'],
    ['/auth/reset?token=x', 403, 'Dieser Link wurde bereits verwendet oder ist abgelaufen.'],
  ])('is in the language of the person: %s', async (path, status, text) => {
    const person = path.startsWith('/auth') ? 'visitor' : 'user';
    const page = await (person === 'user'
      ? open(path)
      : request(app.url).get(path).set({ 'Accept-Language': 'de', Accept: 'text/html' }));

    expect([page.status, shownText(page)]).toEqual([status, expect.stringContaining(text)]);
  });

  it('is in the language of the person in forms', async () => {
    const form = await visitor.form('/account/security', '/account/password');
    const page = await visitor
      .submit(form, { current: api.user.password, password: 'aaaaaaaaaaaa' })
      .set('Accept-Language', 'de');

    expect(shownText(page, '[role=alert]')).toContain('Nicht wenige Zeichen immer wieder');
  });
});
