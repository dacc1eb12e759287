import type { AccountApi } from '../support/account-api.js';
import { Authenticator, keyIn, ProtectedVisitor } from '../support/authenticator.js';
import { whileHeld } from '../support/held-row.js';
import { formIn, locationOf, PageVisitor, shownText } from '../support/page-visitor.js';
import { addPasskey, aPasskeyUser, passkeyRequestOf, SITE } from '../support/passkey-visitor.js';
import { PersonalKeysApi } from '../support/personal-keys-api.js';
import { APP_PATH, ASK_PATH, RequiredFactorWorld } from '../support/required-factor-world.js';
import { SoftPasskey } from '../support/soft-passkey.js';
import type { TestApp } from '../support/test-app.js';

let world: RequiredFactorWorld;
let app: TestApp;
let api: AccountApi;

beforeAll(async () => {
  world = await RequiredFactorWorld.begin();
  ({ app, api } = world);
});
afterAll(() => app.close());
beforeEach(() => {
  world.requireFor('everyone');
});

describe('a session that has not used the second factor', () => {
  it('must use the passkey after a login by password', async () => {
    const { passkey, user } = await world.before(() => aPasskeyUser(app));
    const visitor = await world.visitorByPassword(user);
    const page = await visitor.open(`${ASK_PATH}?next=%2Faccount`).expect(200);
    expect(locationOf(await visitor.open('/list'))).toContain(ASK_PATH);
    expect(locationOf(await visitor.open(APP_PATH))).toContain(ASK_PATH);
    expect(locationOf(await visitor.open('/account/passkeys/new'))).toContain(ASK_PATH);

    const form = formIn(page, '/auth/confirm/passkey');
    const token = form.fields['_csrf'] ?? '';
    const options = await passkeyRequestOf(visitor, '/auth/confirm/passkey', token);
    const answer = await visitor.submit(form, { credential: passkey.used(options) });

    expect([answer.status, locationOf(answer)]).toEqual([303, '/account']);
    await visitor.open('/account').expect(200);
  });

  it('gets no further with only the password on the page that confirms a login', async () => {
    const { user } = await world.before(() => aPasskeyUser(app));
    const visitor = await world.visitorByPassword(user);

    const form = await visitor.form('/auth/confirm', '/auth/confirm');
    await visitor.submit(form, { password: user.password }).expect(303);

    expect(locationOf(await visitor.open('/list'))).toContain(ASK_PATH);
  });

  it('must enter a code if it began before the second factor, or with an access token', async () => {
    const ada = await ProtectedVisitor.of(app, await world.aVisitor());
    const token = (await ada.login(ada.authenticator.nextCode()).expect(200)).body.access_token;
    const visitor = new PageVisitor(app);
    await visitor.agent.post('/login').set('Authorization', `Bearer ${token}`).send({}).expect(200);

    const page = await visitor.open(`${ASK_PATH}?next=%2Faccount`).expect(200);
    const otp = ada.authenticator.nextCode();
    const fields = { password: ada.user.password, otp };
    const answer = await visitor.submit(formIn(page, '/auth/confirm'), fields);

    expect([answer.status, locationOf(answer)]).toEqual([303, '/account']);
    await visitor.open('/account').expect(200);
  });

  it('goes on after a login with the code, and after a new password', async () => {
    const ada = await ProtectedVisitor.of(app, await world.aVisitor());
    const visitor = new PageVisitor(app);
    const { email, password } = ada.user;
    const page = await visitor.submit(await visitor.form('/auth/login', '/auth/login'), {
      ...{ email, password },
    });
    const otp = ada.authenticator.nextCode();
    await visitor.submit(formIn(page, '/auth/login/code'), { otp }).expect(303);
    await visitor.open('/account').expect(200);

    const form = await visitor.form('/account/security', '/account/password');
    await visitor.submit(form, { current: password, password: 'another pass phrase' }).expect(303);

    await visitor.open('/account').expect(200);
  });
});

describe('a session without a second factor, while another session sets one up', () => {
  const lock = 'SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE';

  it('cannot turn on an authenticator app', async () => {
    const visitor = await world.aVisitor();
    const page = await visitor.open(APP_PATH).expect(200);
    const otp = new Authenticator(keyIn(page.text), app.clock).code();
    const fields = { current: visitor.user.password, otp, change: 'on' };

    await whileHeld(app.database, {
      lock,
      change: `INSERT INTO passkeys (user_id, credential_id, public_key, counter, transports, name)
        VALUES ($1, decode('aa', 'hex'), decode('aa', 'hex'), 0, '{}', 'Laptop')`,
      values: [visitor.user.id],
      waiting: async () => visitor.submit(formIn(page, APP_PATH), fields),
    });

    const factors = 'SELECT FROM second_factors WHERE user_id = $1';
    expect(await app.database.query(factors, [visitor.user.id])).toEqual([]);
    expect(locationOf(await visitor.open('/list'))).toContain(ASK_PATH);
  });

  it('cannot add a passkey', async () => {
    const visitor = await world.aVisitor();
    const path = '/account/passkeys/new';
    const form = await visitor.form(path, path);
    const options = await passkeyRequestOf(visitor, path, form.fields['_csrf'] ?? '');
    const credential = new SoftPasskey(SITE.origin).created(options);

    await whileHeld(app.database, {
      lock,
      change: `INSERT INTO second_factors (user_id, secret, last_used_step) VALUES ($1, 'x', 0)`,
      values: [visitor.user.id],
      waiting: async () => visitor.submit(form, { name: 'Laptop', credential }),
    });

    const passkeys = 'SELECT FROM passkeys WHERE user_id = $1';
    expect(await app.database.query(passkeys, [visitor.user.id])).toEqual([]);
    expect(locationOf(await visitor.open('/list'))).toContain(ASK_PATH);
  });
});

describe('the last second factor', () => {
  const TEXT = 'Your account needs a second factor, and this is the only one.';

  const removal = async (visitor: PageVisitor, id: string) => ({
    ...{ action: '/account/passkeys/remove' },
    fields: { _csrf: await visitor.csrfToken(), passkey: id },
  });
  const passkeysOf = async ({ id }: { id: string }): Promise<string[]> =>
    (await app.database.query('SELECT id FROM passkeys WHERE user_id = $1', [id])).map(
      (row) => row.id as string,
    );

  it('cannot be turned off, unless there is a passkey', async () => {
    const ada = await ProtectedVisitor.of(app, await world.aVisitor());

    const refused = await ada.change('off', { otp: ada.authenticator.nextCode() });
    expect([refused.status, shownText(refused)]).toEqual([400, expect.stringContaining(TEXT)]);
    await addPasskey(ada.visitor, new SoftPasskey(SITE.origin));

    expect((await ada.change('off', { otp: ada.authenticator.nextCode() })).status).toBe(303);
  });

  it('cannot be removed, as a passkey', async () => {
    const { visitor, user } = await world.before(() => aPasskeyUser(app));
    const [id = ''] = await passkeysOf(user);

    const refused = await visitor.submit(await removal(visitor, id));

    expect([refused.status, shownText(refused)]).toEqual([400, expect.stringContaining(TEXT)]);
    expect(await passkeysOf(user)).toEqual([id]);
  });

  it('can be removed if the setting does not apply to the user', async () => {
    world.requireFor('administrators');
    const ada = await ProtectedVisitor.of(app, await world.aVisitor());

    expect((await ada.change('off', { otp: ada.authenticator.nextCode() })).status).toBe(303);
  });

  it('stays if the other one is removed while the removal waits for the account', async () => {
    const { visitor, user } = await world.before(() => aPasskeyUser(app));
    await addPasskey(visitor, new SoftPasskey(SITE.origin));
    const [first = ''] = await passkeysOf(user);
    const form = await removal(visitor, first);
    const answers: number[] = [];

    await whileHeld(app.database, {
      lock: 'SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE',
      change: `DELETE FROM passkeys WHERE user_id = $1 AND id <> ${first}`,
      values: [user.id],
      waiting: async () => answers.push((await visitor.submit(form)).status),
    });

    expect(answers).toEqual([400]);
    expect(await passkeysOf(user)).toEqual([first]);
  });

  it('stays as an app if the passkey is removed while the user turns the app off', async () => {
    const ada = await ProtectedVisitor.of(app, await world.aVisitor());
    await addPasskey(ada.visitor, new SoftPasskey(SITE.origin));
    const otp = ada.authenticator.nextCode();
    const answers: number[] = [];

    await whileHeld(app.database, {
      lock: 'SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE',
      change: 'DELETE FROM passkeys WHERE user_id = $1',
      values: [ada.user.id],
      waiting: async () => answers.push((await ada.change('off', { otp })).status),
    });

    expect(answers).toEqual([400]);
    // The refused change has not used up the code.
    await ada.login(otp).expect(200);
  });
});

describe('programs', () => {
  it('log in, refresh and use the API without a second factor', async () => {
    const ada = await world.aVisitor();
    const keys = new PersonalKeysApi(app);
    const pair = await world.before(() => keys.make(ada));

    const { body } = await api.login(ada.user).expect(200);

    await api.post('/refresh', { refresh_token: body.refresh_token }).expect(200);
    await keys.get(pair).expect(200);
  });

  it('get a session from /login that opens no page', async () => {
    const user = await api.registered();
    const visitor = new PageVisitor(app);
    const { email, password } = user;

    await visitor.agent.post('/login').send({ email, password }).expect(200);

    expect(locationOf(await visitor.open('/account'))).toContain(ASK_PATH);
  });
});
