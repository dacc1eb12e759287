import { AccountApi, PASSWORD } from '../support/account-api.js';
import { aVisitor } from '../support/oauth-api.js';
import {
  formIn,
  headingOf,
  locationOf,
  type PageVisitor,
  shownText,
} from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const PATH = '/account/profile';

let app: TestApp;
let api: AccountApi;
let ada: Awaited<ReturnType<typeof aVisitor>>;

beforeAll(async () => {
  app = await aTestApp();
  api = new AccountApi(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  ada = await aVisitor(app);
});

const rowOf = async (id: string) =>
  (
    await app.database.query<{
      name: string;
      email: string;
      email_verified_at: Date | null;
      time_zone: string | null;
      date_format: string | null;
    }>('SELECT name, email, email_verified_at, time_zone, date_format FROM users WHERE id = $1', [
      id,
    ])
  )[0];

const send = async (action: string, fields: Record<string, string>, visitor: PageVisitor = ada) =>
  visitor.submit(await visitor.form(PATH, action), fields);

describe('the index of the account', () => {
  it('links to each group, whose page links back, and shows storage, version and help', async () => {
    const index = await ada.open('/account').expect(200);
    const text = shownText(index);

    expect(text).toContain(ada.user.email);
    expect(text).toMatch(/Storage: \d/);
    expect(text).toMatch(/Satchel \d+\.\d+\.\d+/);
    expect(index.text).toContain('href="/docs"');
    for (const group of ['profile', 'security', 'devices', 'data', 'reading']) {
      expect(index.text).toContain(`href="/account/${group}"`);
      const page = await ada.open(`/account/${group}`).expect(200);
      expect(page.text).toContain('<p class="back"><a href="/account">');
    }
  });

  it.each([
    ['/account/keys', '/account/devices'],
    ['/account/extension', '/account/devices'],
    ['/account/second-factor', '/account/security'],
    ['/account/delete', '/account/profile'],
  ])('is reached from %s through %s', async (path, group) => {
    const page = await ada.open(path).expect(200);

    expect(page.text).toContain(`<p class="back"><a href="${group}">`);
  });

  it.each(['applications', 'extension', 'feeds', 'import', 'export', 'sessions', 'personal-keys'])(
    'has the anchor %s of earlier versions',
    async (anchor) => {
      expect((await ada.open('/account')).text).toContain(`id="${anchor}"`);
    },
  );
});

describe('the name on the profile page', () => {
  it('is changed, and shown as text', async () => {
    const name = `<b>Ada</b> "עדה" 🎉`;

    const answer = await send(PATH, { name: `  ${name} ` });

    expect(locationOf(answer)).toBe(`${PATH}?done=name`);
    expect(shownText(await ada.open(locationOf(answer)))).toContain('Name changed.');
    expect((await rowOf(ada.user.id))?.name).toBe(name);
    expect((await ada.open('/account')).text).toContain('&lt;b&gt;Ada&lt;/b&gt;');
  });

  it.each(['', '   ', '\u200b\u2800', 'x'.repeat(201)])('is not changed to %j', async (name) => {
    const page = await send(PATH, { name });

    expect(page.status).toBe(400);
    expect(shownText(page, '[role=alert]')).toMatch(/^Name not changed Enter a name with/);
    expect(page.text).toContain('<a href="#name">');
    expect((await rowOf(ada.user.id))?.name).toBe('Ada');
  });
});

describe('the email address without mail', () => {
  it('changes at once, is unconfirmed, and keeps the sessions', async () => {
    const next = `next${ada.user.email}`;
    const elsewhere = await aVisitor(app, ada.user);

    const answer = await send('/account/email', {
      email: ` ${next.toUpperCase()} `,
      current: PASSWORD,
    });

    expect(locationOf(answer)).toBe(`${PATH}?done=email`);
    expect(await rowOf(ada.user.id)).toMatchObject({ email: next, email_verified_at: null });
    expect(shownText(await ada.open('/account').expect(200))).toContain(next);
    await elsewhere.open('/account').expect(200);
    await api.login(ada.user).expect(401);
    await api.login({ email: next, password: PASSWORD }).expect(200);
  });

  it.each([
    { email: 'new@example.com', current: 'wrong', field: 'current', why: 'password is incorrect' },
    { email: 'new@example.com', current: '', field: 'current', why: 'password is incorrect' },
    { email: 'not-an-address', field: 'email', why: 'Enter an email address, such as' },
    { email: 'a@b.example,c@d.example', field: 'email', why: 'Enter an email address, such as' },
    {
      email: `${'a'.repeat(300)}@example.com`,
      field: 'email',
      why: 'Enter an email address, such as',
    },
    { email: '', field: 'email', why: 'Enter an email address, such as' },
  ])('stays for %j, and the error links to its field, once', async (sent) => {
    const { email, current = PASSWORD, field, why } = sent;
    const page = await send('/account/email', { email, current });

    expect(page.status).toBe(400);
    expect(shownText(page, '[role=alert]')).toContain(why);
    expect(shownText(page).split(why)).toHaveLength(2);
    expect(page.text).toContain(`<li id="error-0"><a href="#${field}">`);
    expect(page.text).toMatch(new RegExp(`id="${field}"[^>]*aria-describedby="[^"]*error-0"`));
    expect(page.text).toContain(`value="${email}"`);
    expect((await rowOf(ada.user.id))?.email).toBe(ada.user.email);
  });

  it('stays if it is the present address, or the address of another account', async () => {
    const bob = await api.registered();

    const same = await send('/account/email', { email: ada.user.email, current: PASSWORD });
    const taken = await send('/account/email', { email: bob.email, current: PASSWORD });

    expect([same.status, shownText(same, '[role=alert]')]).toEqual([
      400,
      expect.stringContaining('already your email address'),
    ]);
    expect([taken.status, shownText(taken, '[role=alert]')]).toEqual([
      400,
      expect.stringContaining('Another account has this email address'),
    ]);
    expect((await rowOf(ada.user.id))?.email).toBe(ada.user.email);
  });

  it('belongs to only one of several users who choose it at the same time', async () => {
    const visitors = await Promise.all(Array.from({ length: 4 }, () => aVisitor(app)));
    const email = `wanted${ada.user.email}`;
    const forms = await Promise.all(visitors.map((one) => one.form(PATH, '/account/email')));

    const answers = await Promise.all(
      visitors.map((one, at) => one.submit(forms[at]!, { email, current: PASSWORD })),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([303, 400, 400, 400]);
    expect(await app.database.query('SELECT FROM users WHERE email = $1', [email])).toHaveLength(1);
  });

  it('is not kept with the password if the session has ended', async () => {
    const form = await ada.form(PATH, '/account/email');
    await app.database.query('DELETE FROM sessions WHERE user_id = $1', [ada.user.id]);

    const page = await ada
      .submit(form, { email: 'new@example.com', current: PASSWORD })
      .set('Origin', app.url);

    expect(page.status).toBe(403);
    expect(page.text).not.toContain(PASSWORD);
    expect(page.text).not.toContain('name="kept"');
  });
});

describe('the time zone and the date format', () => {
  it.each([
    ['Europe/Zurich', '', /Logged in \d{1,2} \w+ \d{4} at \d\d:\d\d /],
    ['', 'iso', /Logged in \d{4}-\d\d-\d\d \d\d:\d\d UTC/],
    ['America/New_York', 'slashes-us', /Logged in \d\d\/\d\d\/\d{4}, \d{1,2}:\d\d [AP]M/],
    ['Asia/Tokyo', 'dots', /Logged in \d\d\.\d\d\.\d{4}, \d\d:\d\d /],
  ])('are %j and %j on all pages', async (zone, format, shown) => {
    const answer = await send('/account/dates', { zone, format });

    expect(locationOf(answer)).toBe(`${PATH}?done=dates`);
    const security = await ada.open('/account/security').expect(200);
    expect(shownText(security).replaceAll('\u202f', ' ')).toMatch(shown);
    const other = await aVisitor(app);
    expect(shownText(await other.open('/account/security'))).toMatch(/at \d\d:\d\d UTC/);
    const profile = await ada.open(PATH);
    expect(profile.text).toContain(`<option value="${zone}" selected>`);
  });

  it('are stored in the usual spelling of the zone', async () => {
    await send('/account/dates', { zone: ' europe/ZURICH', format: '' });

    expect((await rowOf(ada.user.id))?.time_zone).toBe('Europe/Zurich');
  });

  it('show a time in the chosen zone', async () => {
    await app.database.query(
      `UPDATE sessions SET created_at = '2026-05-31T22:30:00Z' WHERE user_id = $1`,
      [ada.user.id],
    );
    await send('/account/dates', { zone: 'Asia/Tokyo', format: 'iso' });

    expect(shownText(await ada.open('/account/security'))).toContain('Logged in 2026-06-01 07:30');
  });

  it.each([
    ['Mars/Olympus', '', 'zone'],
    ['+01:00', '', 'zone'],
    ["UTC'; DROP TABLE users; --", '', 'zone'],
    ['', '__proto__', 'format'],
    ['', 'x'.repeat(1000), 'format'],
  ])('stay as they are for %j and %j', async (zone, format, field) => {
    const page = await send('/account/dates', { zone, format });

    expect(page.status).toBe(400);
    expect(page.text).toContain(`<a href="#${field}">`);
    expect(await rowOf(ada.user.id)).toMatchObject({ time_zone: null, date_format: null });
  });

  it('fall back to the defaults if this installation does not know the stored values', async () => {
    await app.database.query(
      `UPDATE users SET time_zone = 'Europe/Atlantis', date_format = 'gone' WHERE id = $1`,
      [ada.user.id],
    );

    expect(shownText(await ada.open('/account/security').expect(200))).toMatch(/\d\d:\d\d UTC/);
  });
});

describe('the appearance on the reading page', () => {
  it('is saved without opening an article, and rejects unknown values', async () => {
    const look = { theme: 'sepia', size: 'large', width: 'wide', face: 'sans', spacing: 'loose' };
    const form = await ada.form('/account/reading', '/account/reading');

    const answer = await ada.submit(form, look);
    const refused = await ada.submit(form, { ...look, theme: '"><script>' });

    expect(locationOf(answer)).toBe('/account/reading?done=reading');
    expect(refused.status).toBe(400);
    expect((await ada.open('/list')).text).toContain('data-theme="sepia" data-size="large"');
  });
});

describe('the forms of the account', () => {
  it('need the CSRF token', async () => {
    for (const path of ['profile', 'email', 'email/cancel', 'dates', 'reading', 'delete']) {
      const page = await ada.post(`/account/${path}`, { name: 'Eve', current: PASSWORD });
      expect([path, page.status]).toEqual([path, 403]);
    }
    expect(await rowOf(ada.user.id)).toMatchObject({ name: 'Ada', email: ada.user.email });
  });

  it('show a missing file of an import at the top, with a link to the field', async () => {
    const { fields } = formIn(await ada.open('/account/data'), '/account/import');

    const page = await ada.agent.post('/account/import').field('_csrf', fields['_csrf'] ?? '');

    expect([page.status, headingOf(page)]).toEqual([400, 'Import and export']);
    expect(page.text).toContain('<a href="#import-file">Select a file');
  });
});
