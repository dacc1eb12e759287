import { ProtectedVisitor } from '../support/authenticator.js';
import { formIn, PageVisitor, shownText } from '../support/page-visitor.js';
import { addPasskey, aPasskeyUser, passkeyRequestOf, SITE } from '../support/passkey-visitor.js';
import { SoftPasskey } from '../support/soft-passkey.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const PATH = '/auth/login/code/passkey';
const LOGIN_PATH = '/auth/login/passkey';

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp({ config: { publicUrl: SITE } });
});
afterAll(() => app.close());

/** Creates a user with a second factor and a passkey. */
async function aProtectedUser() {
  const { visitor, user } = await ProtectedVisitor.of(app);
  const passkey = new SoftPasskey(SITE.origin);
  await addPasskey(visitor, passkey);
  return { visitor, user, passkey };
}

/** Enters the password in another browser, which then shows the form for the code. */
async function atCode({ email, password }: { email: string; password: string }) {
  const visitor = new PageVisitor(app);
  const login = await visitor.form('/auth/login', '/auth/login');
  const form = formIn(await visitor.submit(login, { email, password }).expect(200), PATH);
  const token = form.fields['_csrf'] ?? '';
  return {
    visitor,
    token,
    request: (path = PATH) => passkeyRequestOf(visitor, path, token),
    send: (credential: string) => visitor.submit(form, { credential }),
  };
}

const isLoggedIn = async (visitor: PageVisitor): Promise<boolean> =>
  (await visitor.open('/account')).status === 200;

describe('a passkey instead of a code', () => {
  it('completes the login, even if it has not verified its user', async () => {
    const { user, passkey } = await aProtectedUser();
    const browser = await atCode(user);

    await browser
      .send(passkey.used(await browser.request(), { isUserVerified: false }))
      .expect(303);

    expect(await isLoggedIn(browser.visitor)).toBe(true);
  });

  it('is accepted once', async () => {
    const { user, passkey } = await aProtectedUser();
    const browser = await atCode(user);
    const credential = passkey.used(await browser.request());

    const answers = await Promise.all([1, 2, 3].map(() => browser.send(credential)));

    expect(answers.map(({ status }) => status).sort()).toEqual([303, 403, 403]);
  });

  it('is refused if it belongs to another user, and the activity of the account shows it', async () => {
    const { visitor, user } = await aProtectedUser();
    const mallory = await aPasskeyUser(app);
    const browser = await atCode(user);

    const answer = await browser.send(mallory.passkey.used(await browser.request())).expect(403);

    expect(shownText(answer)).toContain('The passkey was not accepted.');
    expect(await isLoggedIn(browser.visitor)).toBe(false);
    expect(shownText(await visitor.open('/account/activity'))).toContain('Login refused');
    expect(shownText(await mallory.visitor.open('/account/activity'))).not.toContain(
      'Login refused',
    );
  });

  it('is no login without a password', async () => {
    const { passkey } = await aProtectedUser();
    const visitor = new PageVisitor(app);
    const { fields } = await visitor.form('/auth/login', LOGIN_PATH);
    const options = await passkeyRequestOf(visitor, LOGIN_PATH, fields['_csrf'] ?? '');

    await visitor
      .post(PATH, { _csrf: fields['_csrf'] ?? '', credential: passkey.used(options) })
      .expect(403);

    expect(await isLoggedIn(visitor)).toBe(false);
  });

  it.each([
    ['a login with the request for a code', PATH, LOGIN_PATH],
    ['a code with the request for a login', LOGIN_PATH, PATH],
  ])('does not replace %s', async (_, requested, used) => {
    const { user, passkey } = await aProtectedUser();
    const browser = await atCode(user);
    const credential = passkey.used(await browser.request(requested));

    await browser.visitor.post(used, { _csrf: browser.token, credential }).expect(403);

    expect(await isLoggedIn(browser.visitor)).toBe(false);
  });
});

describe('a challenge that is not a text', () => {
  const asBytes = ({ challenge }: { challenge: string }) => [
    ...Buffer.from(challenge, 'base64url'),
  ];

  it('is refused in a login', async () => {
    const { user, passkey } = await aProtectedUser();
    const browser = await atCode(user);
    const options = await browser.request();

    await browser.send(passkey.used(options, { challenge: asBytes(options) })).expect(403);
  });

  it('is refused for a new passkey', async () => {
    const { visitor } = await aPasskeyUser(app);
    const _csrf = await visitor.csrfToken();
    const path = '/account/passkeys/new';
    const options = await passkeyRequestOf(visitor, path, _csrf);
    const passkey = new SoftPasskey(SITE.origin);
    const credential = passkey.created(options, { challenge: asBytes(options) });

    await visitor.post(path, { _csrf, credential }).expect(400);
  });
});

describe('a new passkey', () => {
  const PATH_OF_NEW = '/account/passkeys/new';

  it.each([
    ['with an id that is too long for the database', Buffer.from([...Array(6000).keys()])],
    ['without an id', Buffer.alloc(0)],
  ])('is refused %s', async (_, signedId) => {
    const { visitor } = await aPasskeyUser(app);
    const _csrf = await visitor.csrfToken();
    const options = await passkeyRequestOf(visitor, PATH_OF_NEW, _csrf);
    const credential = new SoftPasskey(SITE.origin).created(options, { signedId });

    await visitor.post(PATH_OF_NEW, { _csrf, credential }).expect(400);
  });

  it('is added once, even if its answer is sent several times', async () => {
    const { visitor } = await aPasskeyUser(app);
    const _csrf = await visitor.csrfToken();
    const options = await passkeyRequestOf(visitor, PATH_OF_NEW, _csrf);
    const [first, second] = [new SoftPasskey(SITE.origin), new SoftPasskey(SITE.origin)];

    const answers = await Promise.all(
      [first, second, first].map((passkey) =>
        visitor.post(PATH_OF_NEW, { _csrf, credential: passkey.created(options) }),
      ),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([303, 400, 400]);
  });
});

describe('PASSWORD_LOGIN=off', () => {
  it('turns passkeys off', async () => {
    const { visitor, passkey } = await aPasskeyUser(app);
    const page = new PageVisitor(app);
    const { fields } = await page.form('/auth/login', LOGIN_PATH);
    const _csrf = fields['_csrf'] ?? '';
    const credential = passkey.used(await passkeyRequestOf(page, LOGIN_PATH, _csrf));
    Object.assign(app.config, { passwordLogin: false });
    try {
      expect((await page.post(LOGIN_PATH, { _csrf, credential })).status).toBe(403);
      expect((await page.open('/auth/login')).text).not.toContain('data-passkey');
      expect((await visitor.open('/account/passkeys')).status).toBe(403);
      expect(await isLoggedIn(page)).toBe(false);
    } finally {
      Object.assign(app.config, { passwordLogin: true });
    }
  });
});
