import { Role } from '../../src/auth/entities/user.entity.js';
import { UserAdministrationService } from '../../src/auth/user-administration.service.js';
import { PASSWORD } from '../support/account-api.js';
import { linkIn } from '../support/mail-server.js';
import { OAuthApi } from '../support/oauth-api.js';
import { PageVisitor } from '../support/page-visitor.js';
import { KEYS_PATH, PersonalKeysApi } from '../support/personal-keys-api.js';
import { until, Workplace } from '../support/processes.js';
import {
  SecurityMailWorld,
  subjectOf,
  textOf,
  type Visitor,
} from '../support/security-mail-world.js';

const NEXT = 'another long pass phrase';

let world: SecurityMailWorld;
let workplace: Workplace;
let ada: Visitor;

beforeAll(async () => {
  world = await SecurityMailWorld.begin();
  workplace = new Workplace({
    ...{ DATABASE_URL: world.app.database.url, BCRYPT_COST: '10', MAIL_FROM: 'a@example.com' },
    ...{ SMTP_URL: world.server.settings.serverUrl, PUBLIC_URL: world.app.url },
  });
});
afterAll(async () => {
  workplace.remove();
  await world.close();
});
beforeEach(async () => {
  ada = await world.user();
});

/** Waits until the outbox is empty, and returns the subjects of the mails to an address, sorted. */
async function subjectsTo(email: string): Promise<string[]> {
  await until(async () => (await world.outbox()).length === 0);
  return world.server.sentTo(email).map(subjectOf).sort();
}

const mailTo = async (email: string, count = 1): Promise<string> =>
  textOf(await world.server.mailTo(email, count));

const timeIn = (timeZone: string, at: Date): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(at);

const isLast = (text: string): boolean => text.includes('sends no mail about further ones');

const aKey = { name: 'My script', retrieve: '1' };
const admin = () => world.app.app.get(UserAdministrationService);

describe('a mail about a change of security', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['Password changed', () => world.changePassword(ada)],
    ['Key created', () => new PersonalKeysApi(world.app).make(ada, aKey)],
    ['Key created', () => world.press(ada, ...form(`${KEYS_PATH}/passwords`), aKey)],
    ['Key created', () => world.press(ada, ...form(`${KEYS_PATH}/clients`), aKey)],
    ['Feed address created', () => world.press(ada, '/account/devices', '/account/feeds')],
    ['Application given access', async () => (await OAuthApi.of(world.app)).accessToken(ada)],
    ['Second factor turned off', () => resetFactor()],
    ['Administrator role added', () => setRole()],
  ])('is sent once: %s', async (change, happens) => {
    await happens();

    expect(subjectOf(await world.server.mailTo(ada.user.email))).toBe(`Satchel: ${change}`);
    expect(await subjectsTo(ada.user.email)).toEqual([`Satchel: ${change}`]);
  });

  const form = (path: string): [string, string] => [path, path];
  const resetFactor = async () => {
    await world.app.database.query(
      `INSERT INTO second_factors (user_id, secret, last_used_step) VALUES ($1, 'unused', 0)`,
      [ada.user.id],
    );
    const page = `/admin/users/${ada.user.id}`;
    return world.press(world.root, page, `${page}/second-factor`);
  };
  const setRole = () => {
    const page = `/admin/users/${ada.user.id}`;
    return world.press(world.root, page, `${page}/role`);
  };

  it('says what has changed, when, from where, and what to do', async () => {
    await world.app.database.query(
      `UPDATE users SET time_zone = 'Asia/Kathmandu', language = 'de' WHERE id = $1`,
      [ada.user.id],
    );
    const resume = SecurityMailWorld.pause();
    ada.agent.set('User-Agent', 'curl/8.5.0');
    await new PersonalKeysApi(world.app).make(ada, aKey);
    const [{ at } = { at: new Date(0) }] = await world.outbox();
    resume();

    const text = await mailTo(ada.user.email);

    expect(text).toContain('Änderung: Schlüssel erstellt');
    expect(text).toContain('Name: My script');
    expect(text).toContain('Gerät: curl/8.5.0');
    expect(text).toMatch(/Adresse: 127\.0\.0\.1/);
    expect(text).toContain(timeIn('Asia/Kathmandu', at));
    expect(text).toContain(`${world.app.url}/account/activity`);
    expect(text).toContain(`${world.app.url}/account/security`);
  });

  it('contains no secret', async () => {
    const pair = await new PersonalKeysApi(world.app).make(ada, aKey);

    const { raw } = await world.server.mailTo(ada.user.email);

    expect(raw).not.toContain(pair.consumer_key);
    expect(raw).not.toContain(pair.access_token);
  });

  it('is sent after a password was reset with a link, which confirms the address', async () => {
    await world.app.database.query('UPDATE users SET email_verified_at = NULL WHERE id = $1', [
      ada.user.id,
    ]);
    const visitor = new PageVisitor(world.app);
    await world.press(visitor, '/auth/forgot', '/auth/forgot', { email: ada.user.email });
    const path = linkIn(await world.server.mailTo(ada.user.email), world.app.url);

    await world.press(visitor, path, '/auth/reset', { password: NEXT });

    expect(subjectOf(await world.server.mailTo(ada.user.email, 2))).toBe(
      'Satchel: Password reset with a link',
    );
  });

  it('names the administrator or the command line, but hides the address of an administrator', async () => {
    await resetFactor();
    const byAdministrator = await mailTo(ada.user.email);
    await admin().setPassword(ada.user.email, NEXT);
    const byOperator = await mailTo(ada.user.email, 2);

    expect(byAdministrator).toContain('Changed by: An administrator');
    expect(byAdministrator).not.toMatch(/^(Device|Address):/m);
    expect(byOperator).toContain('Changed by: The command line');
  });

  it('is not sent for a reset, a removal or a role that changes nothing', async () => {
    const before = await subjectsTo(world.root.user.email);

    await admin().resetSecondFactor(ada.user.email);
    await admin().removePasskeys(ada.user.email);
    await admin().setRole(world.root.user.email, Role.Administrator);
    await admin().setRole(ada.user.email, Role.User);

    expect(await subjectsTo(ada.user.email)).toEqual([]);
    expect(await subjectsTo(world.root.user.email)).toEqual(before);
  });

  it('reports an account that an administrator deletes', async () => {
    await admin().delete(ada.user.email);

    const text = await mailTo(ada.user.email);
    expect(text).toContain('Change: Account deleted');
    expect(text).toContain('Changed by: The command line');
  });

  it('does not go to an address that is not confirmed, or to a disabled account', async () => {
    await world.app.database.query('UPDATE users SET email_verified_at = NULL WHERE id = $1', [
      ada.user.id,
    ]);
    await world.changePassword(ada);
    const bob = await world.user();
    await admin().disable(bob.user.email);
    await admin().setPassword(bob.user.email, NEXT);

    expect(await subjectsTo(ada.user.email)).toEqual([]);
    expect(await subjectsTo(bob.user.email)).toEqual([]);
  });

  it('is not sent for a change that fails', async () => {
    const wrong = { current: 'wrong', password: NEXT };
    await world.press(ada, '/account/security', '/account/password', wrong);

    expect(await subjectsTo(ada.user.email)).toEqual([]);
  });

  it('is sent at most ten times an hour for one kind of change, and still for another kind', async () => {
    for (let key = 0; key < 12; key += 1) {
      await new PersonalKeysApi(world.app).make(ada, aKey);
    }
    await world.changePassword(ada);

    await world.server.mailTo(ada.user.email, 11);
    const last = world.server.sentTo(ada.user.email).map(textOf).filter(isLast);
    expect(last).toEqual([expect.stringContaining('Change: Key created')]);
    expect(await subjectsTo(ada.user.email)).toEqual([
      ...Array.from({ length: 10 }, () => 'Satchel: Key created'),
      'Satchel: Password changed',
    ]);
  });
});

describe('a mail about a new email address', () => {
  it('goes to the old and the new address', async () => {
    const email = `next.${ada.user.email}`;
    await world.press(ada, '/account/profile', '/account/email', { email, current: PASSWORD });
    const path = linkIn(await world.server.mailTo(email), world.app.url);

    await world.press(new PageVisitor(world.app), path, '/auth/verify/email');

    const toNew = textOf(await world.server.mailTo(email, 2));
    const toOld = textOf(await world.server.mailTo(ada.user.email, 2));
    expect(toNew).toContain('Change: Email address changed');
    expect(toOld).toContain(`is now ${email}`);
    expect(toOld).toContain('Address: 127.0.0.1');
    expect(toOld).toContain('contact the administrator');
  });
});

describe('a mail to an old address that was never confirmed', () => {
  it('contains no text that the client has chosen, because the address may belong to a stranger', async () => {
    const email = `next.${ada.user.email}`;
    await world.app.database.query('UPDATE users SET email_verified_at = NULL WHERE id = $1', [
      ada.user.id,
    ]);
    await world.press(ada, '/account/profile', '/account/email', { email, current: PASSWORD });
    const path = linkIn(await world.server.mailTo(email), world.app.url);
    const visitor = new PageVisitor(world.app);
    visitor.agent.set('User-Agent', 'https://evil.example/reset');

    await world.press(visitor, path, '/auth/verify/email');

    const text = textOf(await world.server.mailTo(ada.user.email, 2));
    expect(text).toContain(`is now ${email}`);
    expect(text).not.toContain('evil.example');
  });
});

describe('a mail to administrators', () => {
  const before = () => world.server.sentTo(world.root.user.email).length;

  it('reports an administrator whom another one appoints', async () => {
    const count = before();
    const page = `/admin/users/${ada.user.id}`;

    await world.press(world.root, page, `${page}/role`);

    const text = await mailTo(world.root.user.email, count + 1);
    expect(text).toContain('Change: Administrator role added');
    expect(text).toContain(`Account: ${ada.user.email}`);
    expect(text).toContain('Address: 127.0.0.1');
    expect(text).toContain(`${world.app.url}/admin/audit`);
  });

  it.each([
    ['set-role', (email: string) => ['set-role', email, 'administrator']],
    [
      'create',
      (email: string) => [
        ...['create', '--email', `new.${email}`, '--name', 'New', '--role', 'administrator'],
      ],
    ],
  ])('reports an administrator whom the command line appoints with %s', async (_, words) => {
    const count = before();

    const { code } = await workplace.runHere(['user', ...words(ada.user.email)], {
      input: PASSWORD,
    });

    expect(code).toBe(0);
    const text = await mailTo(world.root.user.email, count + 1);
    expect(text).toContain('Change: Administrator role added');
    expect(text).toContain('Changed by: The command line');
  });

  it('reports a new key of the installation', async () => {
    const count = before();

    await OAuthApi.of(world.app, { name: 'Shared reader' });

    const text = await mailTo(world.root.user.email, count + 1);
    expect(text).toContain('Change: Key created');
    expect(text).toContain('Name: Shared reader');
  });
});
