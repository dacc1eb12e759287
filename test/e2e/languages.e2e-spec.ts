import { AccountApi } from '../support/account-api.js';
import { aVisitor } from '../support/oauth-api.js';
import { locationOf, PageVisitor, shownText } from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const PROFILE = '/account/profile';

let app: TestApp;
let ada: Awaited<ReturnType<typeof aVisitor>>;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  ada = await aVisitor(app);
});

const choose = async (language: string) =>
  ada.submit(await ada.form(PROFILE, '/account/language'), { language });

const rowOf = async (id: string) =>
  (
    await app.database.query<{ language: string | null; browser_language: string | null }>(
      'SELECT language, browser_language FROM users WHERE id = $1',
      [id],
    )
  )[0];

const LOG_IN = new Map([
  ['de', 'Anmelden'],
  ['en', 'Log in'],
  ['pt-BR', 'Entrar'],
  ['zh-CN', '登录'],
]);

describe('the language of a page for a visitor', () => {
  it.each([
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['sv,de;q=0.5', 'de'],
    ['zh-Hans-CN,zh;q=0.9', 'zh-CN'],
    ['pt-PT,pt;q=0.9', 'pt-BR'],
    ['en-US,en;q=0.9,de;q=0.8', 'en'],
    ['sv', 'en'],
    ['*', 'en'],
    ['de;q=0', 'en'],
    ['constructor, __proto__', 'en'],
    [`${'x'.repeat(3000)},de`, 'en'],
    ['en-GB,de;q=0.7,en;q=0.3', 'en'],
    ['zh-Hans-CN', 'zh-CN'],
    ['PT-pt', 'pt-BR'],
  ])('follows Accept-Language, case %#', async (accepted, language) => {
    const page = await new PageVisitor(app).open('/auth/login').set('Accept-Language', accepted);

    expect(page.text).toContain(`<html lang="${language}">`);
    expect(shownText(page, 'h1')).toBe(LOG_IN.get(language));
    expect(page.headers['vary']).toContain('Accept-Language');
  });

  it('is English without a preference', async () => {
    const page = await new PageVisitor(app).open('/auth/login').expect(200);

    expect(page.text).toContain('<html lang="en">');
  });

  it('is also the language of errors', async () => {
    const visitor = new PageVisitor(app);

    const missing = await visitor
      .open('/no-such-page')
      .set({ 'Accept-Language': 'de', Accept: 'text/html' });
    const refused = await visitor.open('/auth/reset?token=x').set('Accept-Language', 'de');

    expect([missing.status, shownText(missing, 'h1')]).toEqual([404, 'Nicht gefunden']);
    expect(shownText(missing)).toContain('Unter dieser Adresse gibt es keine Seite.');
    expect(missing.text).toContain('<html lang="de">');
    expect(shownText(refused, 'h1')).toBe('Dieser Link funktioniert nicht');
  });

  it('is also the language of the web app manifest', async () => {
    const { text, headers } = await new PageVisitor(app)
      .open('/manifest.webmanifest')
      .set('Accept-Language', 'de');

    expect(JSON.parse(text)).toMatchObject({
      lang: 'de',
      shortcuts: [{ name: 'Seite speichern' }],
    });
    expect(headers['vary']).toContain('Accept-Language');
  });
});

describe('the language setting of a user', () => {
  it('wins over the browser, on pages, forms, errors and in messages for scripts', async () => {
    const answer = await choose('de');
    expect(locationOf(answer)).toBe(`${PROFILE}?done=language`);

    const page = await ada.open(locationOf(answer)).set('Accept-Language', 'en');
    expect(page.text).toContain('<html lang="de"');
    expect(shownText(page)).toContain('Einstellungen gespeichert.');
    expect(page.text).toMatch(/<option value="de" lang="de" selected>Deutsch</);
    expect(page.text).toContain('>31. Mai 2026 um 14:05<');
    expect(page.headers['vary'] ?? '').not.toContain('Accept-Language');

    const refused = await ada.submit(await ada.form(PROFILE, PROFILE), { name: '' });
    expect(shownText(refused, '[role=alert]')).toMatch(/^Name nicht geändert Einen Namen mit/);
    const missing = await ada.open('/no-such-page').set('Accept', 'text/html').expect(404);
    expect(shownText(missing, 'h1')).toBe('Nicht gefunden');
    expect(shownText(await ada.open('/welcome'), 'h1')).toBe('So geht Lesen in Satchel');
  });

  it('leaves the choice to the browser by default, and again when it is removed', async () => {
    await choose('de');
    await choose('');

    const page = await ada.open(PROFILE).set('Accept-Language', 'en');

    expect(page.text).toContain('<html lang="en"');
    expect(page.text).toContain('<option value="" selected>Same as browser<');
    expect(page.headers['vary']).toContain('Accept-Language');
    expect(await rowOf(ada.user.id)).toMatchObject({ language: null });
  });

  it.each(['sv', 'DE', 'en-XA', '__proto__', '../en'])('is never %s', async (language) => {
    const page = await choose(language);

    expect(page.status).toBe(400);
    expect(shownText(page, '[role=alert]')).toContain('Select one of the languages.');
    expect(await rowOf(ada.user.id)).toMatchObject({ language: null });
  });

  it('remembers the language of the browser at the login, and of no other client', async () => {
    const { email, password } = ada.user;
    const visitor = new PageVisitor(app);
    const form = await visitor.form('/auth/login', '/auth/login');

    await visitor.submit(form, { email, password }).set('Accept-Language', 'de-CH');
    expect(await rowOf(ada.user.id)).toEqual({ language: null, browser_language: 'de' });

    await new AccountApi(app).login({ email, password }).expect(200);
    expect(await rowOf(ada.user.id)).toEqual({ language: null, browser_language: 'de' });
  });
});

describe('an error for a script', () => {
  it('is in the language of the user', async () => {
    await choose('de');
    const { csrfToken } = (await ada.open('/list/offline.json')).body as { csrfToken: string };

    const answer = await ada
      .post('/list/actions', { _csrf: csrfToken, action: 'archive', back: '/list' })
      .set('Accept', 'application/json');

    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ message: ['Mindestens einen Eintrag auswählen.'] });
  });

  it('of an API is English', async () => {
    const { body } = await new AccountApi(app)
      .login({ email: 'x', password: '' })
      .set('Accept-Language', 'de');

    expect(JSON.stringify(body)).toContain('The credentials are not valid.');
  });
});
