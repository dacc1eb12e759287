import { AccountApi, bearer } from '../support/account-api.js';
import { whileHeld } from '../support/held-row.js';
import { resetLinksTo } from '../support/mail-server.js';
import { OAuthApi } from '../support/oauth-api.js';
import { locationOf, PageVisitor, shownText } from '../support/page-visitor.js';
import { KEYS_PATH, PersonalKeysApi } from '../support/personal-keys-api.js';
import { until } from '../support/processes.js';
import {
  SecurityMailWorld,
  subjectOf,
  textOf,
  type Visitor,
} from '../support/security-mail-world.js';
import { WallabagApi } from '../support/wallabag-api.js';

const NEXT = 'another long pass phrase';
const ENDED = 'application passwords, clients and feed readers no longer have access';

let world: SecurityMailWorld;
let keys: PersonalKeysApi;
let ada: Visitor;

beforeAll(async () => {
  world = await SecurityMailWorld.begin();
  keys = new PersonalKeysApi(world.app);
});
afterAll(() => world.close());
beforeEach(async () => {
  ada = await world.user();
});

const aKey = { name: 'My script', retrieve: '1' };

/** Creates a key, an application password, a client and a feed address. Returns the key. */
async function giveAccess(visitor: Visitor) {
  const pair = await keys.make(visitor, aKey);
  for (const path of [`${KEYS_PATH}/passwords`, `${KEYS_PATH}/clients`]) {
    await world.press(visitor, path, path, aKey);
  }
  await world.press(visitor, '/account/devices', '/account/feeds');
  return pair;
}

/** Counts the keys of all kinds, and the feed addresses, of a user. */
async function accessOf({ user }: Visitor): Promise<unknown[]> {
  const [row] = await world.app.database.query(
    `SELECT (SELECT count(*)::int FROM consumer_keys WHERE owner_id = $1) AS keys,
       (SELECT count(*)::int FROM grants WHERE user_id = $1) AS grants,
       (SELECT count(*)::int FROM feed_accesses WHERE user_id = $1 AND access_id IS NOT NULL) AS feeds`,
    [user.id],
  );
  return Object.values(row as object);
}

async function change(visitor: Visitor, fields: Record<string, string>) {
  const form = await visitor.form('/account/security', '/account/password');
  return visitor.submit(form, { current: visitor.user.password, password: NEXT, ...fields });
}

async function mailAbout(email: string, subject: string): Promise<string> {
  await until(async () => (await world.outbox()).length === 0);
  const mail = world.server.sentTo(email).find((one) => subjectOf(one) === `Satchel: ${subject}`);
  return mail === undefined ? '' : textOf(mail);
}

const kindsOf = async ({ user }: Visitor): Promise<unknown[]> => {
  const rows = await world.app.database.query(
    'SELECT kind FROM audit_entries WHERE user_id = $1 ORDER BY id DESC LIMIT 3',
    [user.id],
  );
  return rows.map(({ kind }) => kind).sort();
};

describe('a new password', () => {
  it('keeps all other access if the user does not select its end', async () => {
    const pair = await giveAccess(ada);

    expect(locationOf(await change(ada, {}))).toBe('/account/security?done=password');

    expect(await accessOf(ada)).toEqual([3, 3, 1]);
    await keys.get(pair).expect(200);
    expect(await mailAbout(ada.user.email, 'Password changed')).not.toContain(ENDED);
  });

  it('ends all other access in the same step, and the mail and the activity say so', async () => {
    const pair = await giveAccess(ada);
    const bob = await world.user();
    await giveAccess(bob);

    const answer = await change(ada, { revoke: '1' });

    expect(locationOf(answer)).toBe('/account/security?done=password-revoked');
    expect(shownText(await ada.open(locationOf(answer)))).toContain('no longer have access');
    expect([await accessOf(ada), await accessOf(bob)]).toEqual([
      [0, 0, 0],
      [3, 3, 1],
    ]);
    await keys.get(pair).expect(401);
    expect(await kindsOf(ada)).toEqual(['consent_revoked', 'feed_revoked', 'password_changed']);
    expect(await mailAbout(ada.user.email, 'Password changed')).toContain(ENDED);
  });

  it('ends tokens of all kinds, and a code that is not exchanged yet', async () => {
    const { app } = world;
    const [oauth, wallabag] = [await OAuthApi.of(app), await WallabagApi.of(app)];
    const account = new AccountApi(app);
    const tokens = await wallabag.tokens(ada.user);
    const [token, code] = [await oauth.accessToken(ada), await oauth.agreedCode(ada)];
    const { accessToken, refreshToken } = await account.loggedIn(ada.user);
    const statuses = async (): Promise<number[]> => {
      const answers = await Promise.all([
        oauth.get(token),
        wallabag.user(tokens.access_token),
        account.loginWith(bearer(accessToken)),
      ]);
      return answers.map(({ status }) => status);
    };
    expect(await statuses()).toEqual([200, 200, 200]);

    await change(ada, { revoke: '1' });

    expect(await statuses()).toEqual([401, 401, 401]);
    await oauth.authorize({ code }).expect(403);
    await wallabag.refresh(tokens.refresh_token).expect(400);
    await account.refresh(refreshToken).expect(401);
  });

  it.each([
    ['a wrong current password', { current: 'wrong pass phrase' }],
    ['a password that is too short', { password: 'short' }],
  ])('ends nothing after %s', async (_, wrong) => {
    await giveAccess(ada);

    await change(ada, { revoke: '1', ...wrong }).then(({ status }) => {
      expect(status).toBe(400);
    });

    expect(await accessOf(ada)).toEqual([3, 3, 1]);
  });

  it('is refused if another browser has changed the password in the meantime', async () => {
    await giveAccess(ada);
    const answers: number[] = [];

    await whileHeld(world.app.database, {
      lock: 'SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE',
      change: 'UPDATE users SET session_epoch = session_epoch + 1 WHERE id = $1',
      values: [ada.user.id],
      waiting: async () => answers.push((await change(ada, { revoke: '1' })).status),
    });

    expect(answers).toEqual([400]);
    expect(await accessOf(ada)).toEqual([3, 3, 1]);
    await new AccountApi(world.app).login(ada.user).expect(200);
  });
});

describe('a new password with a mailed link', () => {
  async function reset(fields: Record<string, string>): Promise<void> {
    const { email } = ada.user;
    await world.press(new PageVisitor(world.app), '/auth/forgot', '/auth/forgot', { email });
    const links = (): string[] => resetLinksTo(world.server, email, world.app.url);
    await until(() => links().length > 0);
    await world.press(new PageVisitor(world.app), links()[0] ?? '', '/auth/reset', {
      password: NEXT,
      ...fields,
    });
  }

  it('keeps all other access if the user does not select its end', async () => {
    await giveAccess(ada);

    await reset({});

    expect(await accessOf(ada)).toEqual([3, 3, 1]);
    expect(await mailAbout(ada.user.email, 'Password reset with a link')).not.toContain(ENDED);
  });

  it('ends all other access in the same step, and the mail and the activity say so', async () => {
    const pair = await giveAccess(ada);

    await reset({ revoke: '1' });

    expect(await accessOf(ada)).toEqual([0, 0, 0]);
    await keys.get(pair).expect(401);
    expect(await kindsOf(ada)).toEqual(['consent_revoked', 'feed_revoked', 'password_reset']);
    expect(await mailAbout(ada.user.email, 'Password reset with a link')).toContain(ENDED);
  });
});
