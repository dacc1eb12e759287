import { ClientsService } from '../../src/auth/consumers/clients.service.js';
import { ConsumerKeysService } from '../../src/auth/consumers/consumer-keys.service.js';
import { Dialect } from '../../src/auth/consumers/entities/consumer-key.entity.js';
import { ALL_PERMISSIONS } from '../../src/auth/consumers/permission.js';
import { parseDocument } from '../../src/lib/extraction/dom.js';
import { CatalogueReader } from '../support/catalogue-reader.js';
import { aVisitor, expireKeys, OAuthApi } from '../support/oauth-api.js';
import { consentPath, headingOf, shownText } from '../support/page-visitor.js';
import { KEYS_PATH, PersonalKeysApi, type Visitor } from '../support/personal-keys-api.js';
import { Workplace } from '../support/processes.js';
import { expectRefusal } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { aWallabagUser, WallabagApi } from '../support/wallabag-api.js';

const DETAILS = { name: 'Guest', permissions: [...ALL_PERMISSIONS] };

let app: TestApp;
let keys: PersonalKeysApi;
/** The first user, who is an administrator. */
let root: Visitor;
let ada: Visitor;

beforeAll(async () => {
  app = await aTestApp();
  keys = new PersonalKeysApi(app);
  root = await aVisitor(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  ada = await aVisitor(app);
});

const expire = (): Promise<unknown> => expireKeys(app);

async function daysLeft(): Promise<readonly (number | null)[]> {
  const rows = await app.database.query<{ days: number | null }>(
    `SELECT round(extract(epoch FROM expires_at - created_at) / 86400)::int AS days FROM consumer_keys WHERE owner_id = $1`,
    [ada.user.id],
  );
  return rows.map(({ days }) => days);
}

describe('an expired key', () => {
  it('does not work any more if it is a personal key, and the page says so', async () => {
    const pair = await keys.make(ada, { name: 'Guest', retrieve: '1', valid_days: '30' });
    const forever = await keys.make(ada);
    await keys.get(pair).expect(200);
    expect(await daysLeft()).toEqual([30, null]);
    expect(shownText(await ada.open(KEYS_PATH))).toMatch(/Guest.*Expires \d+ \w+ \d{4}/);

    await expire();

    expectRefusal(await keys.get(pair), 401, 136);
    await keys.get(forever).expect(200);
    const page = shownText(await ada.open(KEYS_PATH));
    expect(page.match(/Expired\. It does not work any more\./g)).toHaveLength(1);
  });

  it('does not work any more if it is an application password', async () => {
    const path = `${KEYS_PATH}/passwords`;
    const form = await ada.form(path, path);
    const made = await ada.submit(form, { name: 'Kobo', retrieve: '1', valid_days: '90' });
    const password = parseDocument(made.text).body.querySelector('[data-password]')?.textContent;
    const reader = await CatalogueReader.of(app, ada.user);
    const kobo = reader.with({ password: password ?? '' });
    await kobo.get('/opds').expect(200);
    expect(await daysLeft()).toContain(90);

    await expire();

    await kobo.get('/opds').expect(401);
    await reader.get('/opds').expect(200);
  });

  it('does not work any more if it is a client, also with its tokens', async () => {
    const client = await app.app.get(ClientsService).createShared({ ...DETAILS, validDays: 1 });
    const { api, user, ...tokens } = await aWallabagUser(app, new WallabagApi(app, client));
    await api.user(tokens.access_token).expect(200);

    await expire();

    await api.user(tokens.access_token).expect(401);
    await api.refresh(tokens.refresh_token).expect(400);
    await api.logIn(user).expect(400);
  });

  it('does not work any more if it belongs to an application', async () => {
    const details = { ...DETAILS, dialect: Dialect.Standard };
    const { key } = await app.app.get(ConsumerKeysService).create(details, { validDays: 1 });
    const application = new OAuthApi(app, key);
    await application.request().expect(200);

    await expire();

    const refused = await application.request();
    expect([refused.status, refused.headers['x-error-code']]).toEqual([403, '152']);
  });
});

describe('the expired key of an application', () => {
  async function anApplication(): Promise<OAuthApi> {
    const details = { ...DETAILS, dialect: Dialect.Standard };
    const { key } = await app.app.get(ConsumerKeysService).create(details, { validDays: 1 });
    return new OAuthApi(app, key);
  }

  it('does not ask for access any more', async () => {
    const path = consentPath(await (await anApplication()).code());
    expect((await ada.open(path)).status).toBe(200);

    await expire();

    const closed = await ada.open(path);
    expect([closed.status, headingOf(closed)]).toEqual([403, 'Application key expired']);
    expect(shownText(closed)).toContain('The key of Guest has expired.');
  });

  it('is marked on the page of devices, but the key of another application is not', async () => {
    await (await anApplication()).accessToken(ada);
    await (await OAuthApi.of(app)).accessToken(ada);
    const marks = async () =>
      shownText(await ada.open('/account/devices')).match(/Expired\. It does not work/g);
    expect(await marks()).toBeNull();

    await expire();

    expect(await marks()).toHaveLength(1);
  });

  it('is marked on the pages for administrators, with its date', async () => {
    const { key } = await anApplication();
    const path = `/admin/keys/${key.split('-', 1)[0]}`;
    expect(shownText(await root.open(path))).toMatch(/Expires \d+ \w+ \d{4}/);
    expect(shownText(await root.open(path))).toContain('State Enabled');

    await expire();

    expect(shownText(await root.open(path))).toContain('State Expired');
    expect(shownText(await root.open('/admin/keys'))).toContain('Expired');
  });
});

/** The forms that create a key of their own kind. */
const FORMS = [
  { path: KEYS_PATH, fields: { name: 'Guest', retrieve: '1' }, person: () => ada },
  { path: '/admin/keys', fields: { name: 'Guest', retrieve: '1' }, person: () => root },
  {
    path: '/wallabag/developer/client/create',
    fields: { 'client[name]': 'Guest' },
    person: () => ada,
  },
];
const WRONG_DAYS = [
  '0',
  '-1',
  '1.5',
  '3651',
  'x',
  '30 days',
  '9'.repeat(40),
  '0x1e',
  '1e3',
  '30.0',
  ' ',
];
const WRONG_FIELDS = ['valid_days[]', 'valid_days[x]'];

describe.each(FORMS)('the form for a new key at $path', ({ path, fields, person }) => {
  const send = async (days: Readonly<Record<string, string>>) =>
    person().submit(await person().form(path, path), { ...fields, ...days });
  const stored = () =>
    app.database.query<{ days: number | null }>(
      'SELECT round(extract(epoch FROM expires_at - created_at) / 86400)::int AS days FROM consumer_keys ORDER BY id',
    );

  it.each([
    ...WRONG_DAYS.map((days) => ['valid_days', days] as const),
    ...WRONG_FIELDS.map((field) => [field, '30'] as const),
  ])('rejects a field %s with the value "%s", and creates no key', async (field, days) => {
    const before = await stored();

    const answer = await send({ [field]: days });

    expect(answer.status).toBe(400);
    expect(shownText(answer, '[role=alert]')).toContain('Select one of the offered periods.');
    expect(await stored()).toEqual(before);
  });

  it('creates a key that expires, or a key that works until it is revoked', async () => {
    const before = await stored();

    for (const days of [{ valid_days: '30' }, { valid_days: '' }, {}]) {
      expect((await send(days)).status).toBe(200);
    }

    const added = (await stored()).slice(before.length);
    expect(added).toEqual([{ days: 30 }, { days: null }, { days: null }]);
  });

  it('offers three periods, and keeps the choice if the name is missing', async () => {
    const answer = await send({ name: ' ', 'client[name]': ' ', valid_days: '365' });

    const options = [...parseDocument(answer.text).body.querySelectorAll('#valid_days option')];
    expect(answer.status).toBe(400);
    expect(options.map((one) => one.getAttribute('value'))).toEqual(['', '30', '90', '365']);
    expect(options.map((one) => one.hasAttribute('selected'))).toEqual([false, false, false, true]);
  });
});

it('the list of keys for administrators shows the time of expiry only of keys that expire', async () => {
  const service = app.app.get(ConsumerKeysService);
  for (const [name, validDays] of [['Trial', 1] as const, ['Lasting', undefined] as const]) {
    const details = { ...DETAILS, name, dialect: Dialect.Standard };
    await service.create(details, { validDays });
  }

  const { body } = parseDocument((await root.open('/admin/keys')).text);

  const cards = [...body.querySelectorAll('.cards > li')].map((card) => card.textContent ?? '');
  expect(cards.find((text) => text.includes('Trial'))).toMatch(/Enabled · Expires \d+ \w+ \d{4}/);
  expect(cards.find((text) => text.includes('Lasting'))).not.toContain('Expires');
});

describe('the command line', () => {
  const workplace = new Workplace();
  afterAll(() => {
    workplace.remove();
  });
  const run = (...words: string[]) =>
    workplace.runHere(words, { variables: { DATABASE_URL: app.database.url } });
  const DAYS = ['--valid-days', '7'];

  it.each([
    ['consumer-key', ['create', '--name', 'Guest', '--permissions', 'add', ...DAYS]],
    ['client', ['create', ...DAYS]],
  ])('makes a %s that expires, and lists the date', async (noun, words) => {
    const made = await run(noun, ...words, '--json');

    const { id, expires } = JSON.parse(made.stdout) as { id: string; expires: string };
    expect(new Date(expires).getTime()).toBeGreaterThan(Date.now());
    const listed = async () => JSON.parse((await run(noun, 'list', '--json')).stdout) as object[];
    const key = { id, expires, state: 'enabled' };
    expect(await listed()).toContainEqual(expect.objectContaining(key));
    await expire();
    expect(await listed()).toContainEqual(expect.objectContaining({ id, state: 'expired' }));
    const enabled = await run(noun, 'enable', id);
    expect([enabled.code, enabled.stdout]).toEqual([1, '']);
    expect(enabled.stderr).toContain('Expired. It does not work any more.');
  });

  it('makes an application password that expires', async () => {
    const { email } = ada.user;
    await run('user', 'app-password', 'create', email, ...DAYS);

    expect(await daysLeft()).toEqual([7]);
    const listed = async () =>
      JSON.parse((await run('user', 'app-password', 'list', email, '--json')).stdout) as object[];
    const expires = expect.stringContaining('T');
    expect(await listed()).toMatchObject([{ expires, state: 'enabled' }]);
    await expire();
    expect(await listed()).toMatchObject([{ expires, state: 'expired' }]);
  });

  it.each(['0', '3651', 'x', '1e3'])('rejects %s days', async (days) => {
    const { code, stderr } = await run('client', 'create', '--valid-days', days);

    expect(code).not.toBe(0);
    expect(stderr).toContain('A key is valid for 1 to 3650 days.');
  });
});
