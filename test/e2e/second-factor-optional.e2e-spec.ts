import { locationOf, PageVisitor, shownText } from '../support/page-visitor.js';
import { addPasskey, aPasskeyUser, SITE } from '../support/passkey-visitor.js';
import { ASK_PATH } from '../support/required-factor-world.js';
import { SoftPasskey } from '../support/soft-passkey.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp({ config: { publicUrl: SITE } });
});
afterAll(() => app.close());

/** Logs a user in who has a passkey, but only with the password. */
async function aPasswordLogin() {
  const { user } = await aPasskeyUser(app);
  const visitor = new PageVisitor(app);
  await visitor.logIn(user);
  return { user, visitor };
}

const passkeysOf = async ({ id }: { id: string }): Promise<string[]> =>
  (await app.database.query('SELECT id FROM passkeys WHERE user_id = $1', [id])).map(
    (row) => row.id as string,
  );

describe('without SECOND_FACTOR, a user who has a passkey and logs in by password', () => {
  it('opens all pages without the passkey', async () => {
    const { visitor } = await aPasswordLogin();

    for (const path of ['/list', '/account/security', '/account/passkeys/new', '/account/keys']) {
      await visitor.open(path).expect(200);
    }
    expect(locationOf(await visitor.open(ASK_PATH))).toBe('/list');
  });

  it('adds another passkey, and removes both', async () => {
    const { user, visitor } = await aPasswordLogin();
    await addPasskey(visitor, new SoftPasskey(SITE.origin));
    const _csrf = await visitor.csrfToken();

    for (const passkey of await passkeysOf(user)) {
      await visitor.post('/account/passkeys/remove', { _csrf, passkey }).expect(303);
    }

    expect(await passkeysOf(user)).toEqual([]);
    await visitor.open('/list').expect(200);
  });

  it('reads that the login needs no code, not that the password is the only way', async () => {
    const { visitor } = await aPasswordLogin();

    const text = shownText(await visitor.open('/account/security'));

    expect(text).toContain('Off. A login with your password requires no code.');
  });

  it('keeps the session at /login with the cookie, which gets tokens', async () => {
    const { visitor } = await aPasswordLogin();

    const { body } = await visitor.agent.post('/login').send({}).expect(200);

    expect(body).toMatchObject({ access_token: expect.any(String) });
    await visitor.open('/list').expect(200);
  });
});
