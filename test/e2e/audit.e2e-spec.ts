import { AccountApi, PASSWORD } from '../support/account-api.js';
import { ProtectedVisitor } from '../support/authenticator.js';
import { aVisitor, OAuthApi } from '../support/oauth-api.js';
import { PageVisitor, shownText } from '../support/page-visitor.js';
import { PersonalKeysApi } from '../support/personal-keys-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

type Visitor = Awaited<ReturnType<typeof aVisitor>>;

interface Row {
  readonly user_id: string | null;
  readonly actor: string;
  readonly actor_id: string | null;
  readonly kind: string;
  readonly address: string;
  readonly details: Readonly<Record<string, string>>;
  readonly count: number;
}

let app: TestApp;
let api: AccountApi;
/** The first user, who is an administrator. */
let root: Visitor;

beforeAll(async () => {
  app = await aTestApp();
  api = new AccountApi(app);
  root = await aVisitor(app);
});
afterAll(() => app.close());

const entries = (where: string, values: readonly unknown[] = []): Promise<Row[]> =>
  app.database.query<Row>(`SELECT * FROM audit_entries WHERE ${where} ORDER BY id`, [...values]);
const entriesOf = (id: string): Promise<Row[]> => entries('user_id = $1', [id]);
const kindsOf = async (id: string): Promise<string[]> =>
  (await entriesOf(id)).map(({ kind }) => kind);
const countOf = async (id: string, kind: string): Promise<number> =>
  (await entriesOf(id))
    .filter((entry) => entry.kind === kind)
    .reduce((sum, { count }) => sum + count, 0);

async function press(visitor: PageVisitor, page: string, action: string, fields = {}) {
  return visitor.submit(await visitor.form(page, action), fields);
}

describe('the audit log', () => {
  it('records an account, its logins and its refused logins', async () => {
    const ada = await api.registered();
    await new AccountApi(app, '127.0.0.8').login(ada).expect(200);
    await new AccountApi(app, '127.0.0.9').login({ ...ada, password: 'wrong' }).expect(401);

    const rows = await entriesOf(ada.id);

    expect(rows.map(({ kind, actor, address }) => [kind, actor, address])).toEqual([
      ['account_created', 'user', '127.0.0.1'],
      ['login', 'user', '127.0.0.8'],
      ['login_refused', 'visitor', '127.0.0.9'],
    ]);
  });

  it('counts each of two logins, and each of two refused logins, at the same time', async () => {
    const ada = await api.registered();

    await Promise.all([api.login(ada), api.login(ada)]);
    await Promise.all([1, 2].map(() => api.login({ ...ada, password: 'wrong' })));

    expect(await countOf(ada.id, 'login')).toBe(2);
    expect(await countOf(ada.id, 'login_refused')).toBe(2);
  });

  it('records a refused login to an unknown account without the typed address', async () => {
    const email = 'stranger-of-the-audit@example.com';
    await new AccountApi(app, '127.0.0.77').login({ email, password: PASSWORD }).expect(401);

    const rows = await entries(`user_id IS NULL AND address = '127.0.0.77'`);

    expect(rows).toMatchObject([{ kind: 'login_refused', actor: 'visitor', count: 1 }]);
    expect(JSON.stringify(rows)).not.toContain('stranger');
  });

  it('records changes of keys, applications and feeds with their names and without secrets', async () => {
    const ada = await aVisitor(app);
    const pair = await new PersonalKeysApi(app).make(ada, { name: 'My script', retrieve: '1' });
    await (await OAuthApi.of(app)).accessToken(ada);
    await press(ada, '/account/devices', '/account/feeds');
    await press(ada, '/account/devices', '/account/feeds/revoke');
    await press(ada, '/account/keys', '/account/keys/revoke');
    await press(ada, '/account/data', '/account/export', { format: 'jsonl' });

    const rows = await entriesOf(ada.user.id);

    const acts = rows.filter(({ kind }) => kind !== 'login' && kind !== 'account_created');
    expect(acts.map(({ kind, details }) => [kind, details['name']])).toEqual([
      ['key_created', 'My script'],
      ['consent_given', expect.any(String)],
      ['feed_created', undefined],
      ['feed_revoked', undefined],
      ['key_revoked', 'My script'],
      ['exported', 'jsonl'],
    ]);
    const stored = JSON.stringify(rows);
    expect(stored).not.toContain(pair.consumer_key);
    expect(stored).not.toContain(pair.access_token);
  });

  it('does not record the change of a password that was not changed', async () => {
    const ada = await aVisitor(app);
    const change = { current: 'wrong', password: 'another long pass phrase' };
    await press(ada, '/account/security', '/account/password', change);
    expect(await kindsOf(ada.user.id)).not.toContain('password_changed');
    expect(await countOf(ada.user.id, 'login_refused')).toBe(1);
    const logins = await countOf(ada.user.id, 'login');

    await press(ada, '/account/security', '/account/password', { ...change, current: PASSWORD });

    expect(await countOf(ada.user.id, 'password_changed')).toBe(1);
    expect(await countOf(ada.user.id, 'login')).toBe(logins);
  });

  it('names the administrator who changes an account, and hides the address from the user', async () => {
    const ada = await aVisitor(app);
    const page = `/admin/users/${ada.user.id}`;
    await ProtectedVisitor.of(app, ada);
    await press(root, page, `${page}/second-factor`);

    const [entry] = await entries(`user_id = $1 AND actor = 'administrator'`, [ada.user.id]);

    expect(entry).toMatchObject({ kind: 'second_factor_off', actor_id: root.user.id });
    const shown = shownText(await ada.open('/account/activity').expect(200));
    expect(shown).toMatch(/Second factor turned off [^·]* · An administrator/);
  });
});

describe('the page with the activity of an account', () => {
  it('shows only the entries of the user, in pages', async () => {
    const [ada, bob] = [await aVisitor(app), await aVisitor(app)];
    await new PersonalKeysApi(app).make(bob, { name: 'Key of Bob', retrieve: '1' });
    await app.database.query(
      `INSERT INTO audit_entries (user_id, actor, kind, address, device, details, is_refusal)
       SELECT $1::bigint, 'user', 'key_created', '', '', jsonb_build_object('name', '<b>' || n), false
       FROM generate_series(1, 60) n`,
      [ada.user.id],
    );

    const first = await ada.open('/account/activity').expect(200);
    const next = /href="([^"]*before=\d+)"/.exec(first.text)?.[1] ?? '';
    const second = await ada.open(next).expect(200);

    const texts = [shownText(first), shownText(second)];
    const names = texts.map((text) => (text.match(/<b>\d+/g) ?? []).length);
    expect(names).toEqual([50, 10]);
    expect(first.text).not.toContain('<b>6');
    expect(texts.join(' ')).toContain('Account created');
    expect(texts.join(' ')).not.toContain('Key of Bob');
  });

  it('needs a login', async () => {
    const { headers } = await new PageVisitor(app).open('/account/activity').expect(303);

    expect(headers['location']).toContain('/auth/login');
  });
});

describe('the audit log for administrators', () => {
  it('can be filtered by user and kind', async () => {
    const [ada, bob] = [await aVisitor(app), await aVisitor(app)];
    const open = async (query: Record<string, string>): Promise<string> =>
      shownText(
        await root.open(`/admin/audit?${new URLSearchParams(query).toString()}`).expect(200),
        '.cards',
      );

    const all = await open({});
    const ofAda = await open({ user: ada.user.email });
    const logins = await open({ user: ada.user.id, kind: 'login' });

    expect(all).toContain(ada.user.email);
    expect(all).toContain(bob.user.email);
    expect(ofAda).toContain('Account created');
    expect(ofAda).not.toContain(bob.user.email);
    expect(logins).toContain('Login');
    expect(logins).not.toContain('Account created');
  });

  it('is closed to other users', async () => {
    const ada = await aVisitor(app);

    await ada.open('/admin/audit').expect(403);
  });
});

describe('the deletion of an account', () => {
  it('deletes what the user did, and keeps acts of administrators without details', async () => {
    const ada = await aVisitor(app);
    const { id } = ada.user;
    await api.login({ ...ada.user, password: 'wrong' });
    const pair = await new PersonalKeysApi(app).make(ada, { name: 'My diary', retrieve: '1' });
    const page = `/admin/keys/${pair.consumer_key.split('-', 1).join('')}`;
    await press(root, page, `${page}/disable`);
    const [before] = await entries(`user_id = $1 AND actor = 'administrator'`, [id]);
    expect(before!.details['name']).toBe('My diary');

    await press(ada, '/account/delete', '/account/delete', { current: PASSWORD });

    const rows = await entriesOf(id);
    expect(rows.map(({ kind, actor, details }) => [kind, actor, details])).toEqual([
      ['key_disabled', 'administrator', {}],
      ['account_deleted', 'user', {}],
    ]);
    expect(rows.at(-1)!.address).toBe('127.0.0.1');
    const log = shownText(await root.open(`/admin/audit?user=${id}`).expect(200), '.cards');
    expect(log).toContain('Account deleted');
    expect(log).not.toContain(ada.user.email);
  });
});
