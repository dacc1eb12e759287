import { aVisitor, OAuthApi } from '../support/oauth-api.js';
import { ageSessions, confirmPathTo } from '../support/old-sessions.js';
import {
  consentPath,
  formIn,
  headingOf,
  locationOf,
  PageVisitor,
  shownText,
} from '../support/page-visitor.js';
import { aTestApp, NO_LIMITS, type TestApp } from '../support/test-app.js';

const CONFIRM = '/auth/confirm';
const KEYS = '/account/keys';
const HEADING = 'Confirm that it is you';
const LIMIT = 4;
const KEY = { name: 'Cron <b>', retrieve: '1', add: '1' };

let app: TestApp;
let ada: Awaited<ReturnType<typeof aVisitor>>;

beforeAll(async () => {
  app = await aTestApp({ config: { limits: { ...NO_LIMITS, loginPerAccount: LIMIT } } });
});
afterAll(() => app.close());
beforeEach(async () => {
  ada = await aVisitor(app);
});

const age = (): Promise<unknown> => ageSessions(app, ada.user.id);
const keysOf = async (): Promise<string[]> =>
  (
    await app.database.query<{ name: string }>(
      'SELECT name FROM consumer_keys WHERE owner_id = $1',
      [ada.user.id],
    )
  ).map(({ name }) => name);
const auditOf = (kind: string) =>
  app.database.query<{ count: number; actor: string }>(
    'SELECT count, actor FROM audit_entries WHERE user_id = $1 AND kind = $2',
    [ada.user.id, kind],
  );
const cookieOf = (visitor: PageVisitor): string =>
  visitor.agent.jar
    .getCookies({ domain: '127.0.0.1', path: '/', secure: false, script: false })
    .toValueString();

describe('the page that confirms a login', () => {
  it.each([
    ['next', `/${'ü'.repeat(10_000)}`],
    ['next', `/save?url=https://app.example/${'/'.repeat(6000)}`],
    ['request_token', '['.repeat(10_000)],
    ['redirect_uri', `https://app.example/${'['.repeat(10_000)}`],
  ])('continues with the list if %s is longer than an address can be', async (field, value) => {
    const others = field === 'redirect_uri' ? { request_token: 'x' } : {};
    const form = await ada.form('/account', '/auth/leave');

    const answer = await ada.post(CONFIRM, { ...form.fields, ...others, [field]: value });

    expect([answer.status, locationOf(answer)]).toEqual([303, '/list']);
  });

  it('continues with the requested page after the password, and asks no more for 10 minutes', async () => {
    await age();
    const asked = await ada.open(`${KEYS}?done=x`).expect(303);
    const form = await ada.form(locationOf(asked), CONFIRM);
    const right = await ada.submit(form, { password: ada.user.password });

    expect(locationOf(asked)).toBe(confirmPathTo(`${KEYS}?done=x`));
    expect([right.status, locationOf(right)]).toEqual([303, `${KEYS}?done=x`]);
    await ada.open(KEYS).expect(200);
    expect(locationOf(await ada.open(confirmPathTo(KEYS)))).toBe(KEYS);
    expect(await auditOf('login_confirmed')).toEqual([{ count: 1, actor: 'user' }]);
    await age();
    await ada.open(KEYS).expect(303);
  });

  it('counts wrong passwords as refused logins, and reveals nothing', async () => {
    await age();
    const form = await ada.form(confirmPathTo(KEYS), CONFIRM);
    const wrong = await ada.submit(form, { password: 'wrong' });
    const missing = await ada.submit(form, {});

    expect([wrong.status, shownText(wrong, '[role=alert]')]).toEqual([
      403,
      'Not confirmed The password is incorrect. Enter it again.',
    ]);
    expect(shownText(missing, '[role=alert]')).toBe(shownText(wrong, '[role=alert]'));
    expect(wrong.text).not.toContain('value="wrong"');
    expect(formIn(wrong, CONFIRM).fields['next']).toBe(KEYS);
    await ada.open(KEYS).expect(303);
    expect(await auditOf('login_refused')).toEqual([{ count: 2, actor: 'visitor' }]);
    expect(await auditOf('login_confirmed')).toEqual([]);
  });

  it('limits the attempts of an account together with logins', async () => {
    await age();
    const form = await ada.form(confirmPathTo(KEYS), CONFIRM);
    for (let attempt = 0; attempt < LIMIT; attempt += 1) {
      await ada.submit(form, { password: 'wrong' }).expect(403);
    }

    await ada.submit(form, { password: ada.user.password }).expect(429);
    await ada.open(KEYS).expect(303);
    const bob = new PageVisitor(app);
    const { email, password } = ada.user;
    const login = await bob.form('/auth/login', '/auth/login');
    await bob.submit(login, { email, password }).expect(429);
  });

  it('needs the CSRF token, and the password of the same user', async () => {
    const bob = await aVisitor(app);
    await age();
    const { fields } = await ada.form(confirmPathTo(KEYS), CONFIRM);
    const { password } = ada.user;
    await ada.post(CONFIRM, { ...fields, _csrf: 'x', password }).expect(403);
    await bob.post(CONFIRM, { ...fields, password }).expect(403);

    await ada.open(KEYS).expect(303);
  });

  it.each(['https://evil.example/', '//evil.example/', '/\\evil.example', 'javascript:alert(1)'])(
    'never redirects to %s',
    async (next) => {
      await age();
      const form = await ada.form(confirmPathTo(next), CONFIRM);
      const right = await ada.submit(
        { ...form, fields: { ...form.fields, next } },
        {
          password: ada.user.password,
        },
      );

      expect(locationOf(right)).toBe('/list');
    },
  );

  it('gives the session a new id, so that a copy of the previous cookie is not valid', async () => {
    await age();
    const stolen = cookieOf(ada);
    const form = await ada.form(confirmPathTo(KEYS), CONFIRM);
    await ada.submit(form, { password: ada.user.password }).expect(303);

    const thief = new PageVisitor(app);
    expect((await thief.open('/account').set('Cookie', stolen)).status).toBe(303);
    const sessions = await ada.open('/account/security').expect(200);
    expect(shownText(sessions, '#sessions + ul')).toContain('This browser');
    expect(cookieOf(ada)).not.toBe(stolen);
  });
});

describe('a form that is sent more than 10 minutes after the login', () => {
  it('is kept, and is sent again after the confirmation', async () => {
    const form = await ada.form(KEYS, KEYS);
    await age();
    const asked = await ada.submit(form, KEY);
    const wrong = await ada.submit(formIn(asked, CONFIRM), { password: 'x' });
    const resend = await ada.submit(formIn(wrong, CONFIRM), { password: ada.user.password });

    expect([asked.status, headingOf(asked)]).toEqual([403, HEADING]);
    expect(await keysOf()).toEqual([]);
    expect(shownText(resend)).toContain('You had to confirm that it is you');
    expect(shownText(resend)).toContain(KEY.name);

    const created = await ada.submit(formIn(resend, KEYS));

    expect([created.status, await keysOf()]).toEqual([200, [KEY.name]]);
  });

  it('continues on the page with the form if there is nothing to keep', async () => {
    const form = await ada.form('/account/devices', '/account/feeds');
    await age();
    const asked = await ada.submit(form);

    expect(locationOf(asked)).toBe(confirmPathTo('/account/devices'));
    expect(
      await app.database.query('SELECT 1 FROM feed_accesses WHERE user_id = $1', [ada.user.id]),
    ).toEqual([]);
  });
});

describe('the consent page', () => {
  it('asks for a confirmation before it is shown, and before access is given', async () => {
    const reader = await OAuthApi.of(app);
    const code = await reader.code();
    const path = consentPath(code);
    const form = await ada.form(path, '/auth/authorize');
    await age();

    const shown = await ada.open(path).expect(303);
    const answered = await ada.submit(form, { decision: 'authorized' });

    expect(locationOf(shown)).toBe(confirmPathTo(path));
    expect(locationOf(answered)).toContain(`${CONFIRM}?next=%2Fauth%2Fauthorize%3Frequest_token`);
    const confirm = await ada.form(locationOf(answered), CONFIRM);
    const back = await ada.submit(confirm, { password: ada.user.password });
    expect(headingOf(await ada.open(locationOf(back)))).toContain('access to your reading list?');
  });

  it('rejects access without a confirmation', async () => {
    const reader = await OAuthApi.of(app);
    const code = await reader.code();
    const form = await ada.form(consentPath(code), '/auth/authorize');
    await age();
    const answer = await ada.submit(form, { decision: 'rejected' });

    expect(locationOf(answer)).not.toContain(CONFIRM);
  });
});
