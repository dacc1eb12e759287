import { AccountApi, bearer, cookieOf } from '../support/account-api.js';
import { ProtectedVisitor } from '../support/authenticator.js';
import { E_READER_PATH, EReaderWorld, EVERY_DAY } from '../support/e-reader-world.js';
import { aVisitor } from '../support/oauth-api.js';
import { ageSessions, asksToConfirm, confirmPathTo } from '../support/old-sessions.js';
import { formIn, locationOf, PageVisitor, shownText } from '../support/page-visitor.js';

const CONFIRM = '/auth/confirm';
const KEYS = '/account/keys';
const PROFILE = '/account/profile';

let world: EReaderWorld;

beforeAll(async () => {
  world = await EReaderWorld.begin();
  await aVisitor(world.app);
});
afterAll(() => world.close());

describe('a user with a second factor', () => {
  it('confirms the login with the password and a code', async () => {
    const ada = await ProtectedVisitor.of(world.app);
    await ageSessions(world.app, ada.user.id);
    const { visitor, authenticator } = ada;
    const { password } = ada.user;
    const form = await visitor.form(confirmPathTo(KEYS), CONFIRM);
    const [wrongCode, right] = [authenticator.wrongCode(), authenticator.nextCode()];

    const withoutCode = await visitor.submit(form, { password });
    const withWrongCode = await visitor.submit(form, { password, otp: wrongCode });
    const withoutPassword = await visitor.submit(form, { otp: right });
    expect([withoutCode.status, withWrongCode.status, withoutPassword.status]).toEqual([
      ...[403, 403, 403],
    ]);
    expect(shownText(withWrongCode, '[role=alert]')).toContain('The code is incorrect');
    await visitor.open(KEYS).expect(303);

    expect(locationOf(await visitor.submit(form, { password, otp: right }))).toBe(KEYS);
    await visitor.open(KEYS).expect(200);
  });

  it('confirms the login before changing the email address or deleting the account', async () => {
    const ada = await ProtectedVisitor.of(world.app);
    const { visitor, user } = ada;
    const email = await visitor.form(PROFILE, '/account/email');
    const deletion = await visitor.form('/account/delete', '/account/delete');
    await ageSessions(world.app, user.id);
    const typed = { email: 'new@example.com', current: user.password };

    expect(asksToConfirm(await visitor.submit(email, typed))).toBe(true);
    expect(asksToConfirm(await visitor.submit(deletion, typed))).toBe(true);
    expect(asksToConfirm(await visitor.open('/account/delete'))).toBe(true);
    const profile = await visitor.open(PROFILE).expect(200);
    expect(profile.text).not.toContain('action="/account/email"');
    expect(profile.text).toContain(`href="${confirmPathTo(`${PROFILE}#email-heading`)}"`);
  });
});

describe('the password of a user with a second factor', () => {
  it('is changed only after the login was confirmed with a code', async () => {
    const ada = await ProtectedVisitor.of(world.app);
    const { visitor, user } = ada;
    const security = '/account/security';
    const form = await visitor.form(security, '/account/password');
    await ageSessions(world.app, user.id);
    const next = 'another long pass phrase';

    const answer = await visitor.submit(form, { current: user.password, password: next });
    const page = await visitor.open(security).expect(200);

    expect(asksToConfirm(answer)).toBe(true);
    expect(page.text).not.toContain('action="/account/password"');
    expect(page.text).toContain(`href="${confirmPathTo(`${security}#password-heading`)}"`);
    await new AccountApi(world.app).login({ email: user.email, password: next }).expect(401);
  });
});

describe('a user without a second factor', () => {
  it.each(['/account/email', '/account/delete'])(
    'is asked for the password only by the form itself at %s',
    async (action) => {
      const ada = await aVisitor(world.app);
      await ageSessions(world.app, ada.user.id);
      const page = action === '/account/email' ? PROFILE : action;
      const form = await ada.form(page, action);
      const answer = await ada.submit(form, { email: 'new2@example.com', current: 'wrong' });

      expect(answer.status).toBe(400);
      expect(shownText(answer, '[role=alert]')).toContain('The password is incorrect');
    },
  );
});

describe('an account without a password', () => {
  it('can only log in again if no issuer and no second factor is set up', async () => {
    const ada = await aVisitor(world.app);
    const { id } = ada.user;
    await world.app.database.query('UPDATE users SET password_hash = NULL WHERE id = $1', [id]);
    const form = await ada.form(PROFILE, '/account/email');
    await ageSessions(world.app, id);

    expect(asksToConfirm(await ada.submit(form, { email: 'other@example.com' }))).toBe(true);
    const page = await ada.open(confirmPathTo(KEYS)).expect(200);
    expect(page.text).not.toContain('type="password"');
    const forged = { ...formIn(page, '/auth/leave').fields, password: '', otp: '' };
    expect((await ada.post(CONFIRM, forged)).status).toBe(403);
    await ada.open(KEYS).expect(303);

    const login = await ada.submit(formIn(page, '/auth/leave'));
    expect(locationOf(login)).toBe(`/auth/login?next=${encodeURIComponent(KEYS)}`);
  });
});

describe('a session that began at the API', () => {
  it('counts from the login by password, and never from an access token or a cookie', async () => {
    const api = new AccountApi(world.app);
    const ada = await api.signedIn();
    const open = (cookie: string) => new PageVisitor(world.app).open(KEYS).set('Cookie', cookie);

    const byToken = cookieOf(await api.loginWith(bearer(ada.accessToken)).expect(200));
    expect((await open(ada.cookie)).status).toBe(200);
    expect(asksToConfirm(await open(byToken))).toBe(true);
    await ageSessions(world.app, ada.id);
    const byCookie = cookieOf(await api.loginWith({ Cookie: ada.cookie }).expect(200));

    expect(asksToConfirm(await open(byCookie))).toBe(true);
  });
});

describe('a setting that gives access to the list', () => {
  it('needs a recent login for a new e-reader address, but not for other changes', async () => {
    const ada = await aVisitor(world.app);
    const form = await ada.form(E_READER_PATH, E_READER_PATH);
    const typed = { address: 'one@kindle.example', archives: '1', zone: 'UTC', ...EVERY_DAY };
    await ada.submit(form, typed).expect(303);
    await ageSessions(world.app, ada.user.id);

    const same = await ada.submit(form, { ...typed, archives: '' });
    const other = await ada.submit(form, { ...typed, address: 'thief@kindle.example' });

    expect([asksToConfirm(same), asksToConfirm(other)]).toEqual([false, true]);
    const resend = await ada.submit(formIn(other, CONFIRM), { password: ada.user.password });
    expect(locationOf(await ada.submit(formIn(resend, E_READER_PATH)))).toBe(
      `${E_READER_PATH}?done=e-reader`,
    );
  });

  it('needs a recent login for the first feed address of a list', async () => {
    const ada = await aVisitor(world.app);
    const { fields } = await ada.form('/account', '/auth/leave');
    const { _csrf = '' } = fields;
    await ada.post('/list/lists', { _csrf, name: 'Long', view: '/list?state=all&q=x' });
    const [row] = await world.app.database.query<{ id: string }>(
      'SELECT id FROM saved_lists WHERE user_id = $1',
      [ada.user.id],
    );
    const form = await ada.form(`/list/lists/edit?id=${row?.id ?? ''}`, '/list/lists/edit');
    await ageSessions(world.app, ada.user.id);

    const withFeed = await ada.submit(form, { name: 'Long', feed: 'excerpts' });
    const withoutFeed = await ada.submit(form, { name: 'Longer', feed: '' });

    expect([asksToConfirm(withFeed), asksToConfirm(withoutFeed)]).toEqual([true, false]);
  });
});
