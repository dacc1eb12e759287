import { createHmac, randomBytes } from 'node:crypto';

import { Cipher } from '../../src/auth/cipher.js';
import { Sessions } from '../../src/auth/session/sessions.js';
import { UserAdministrationService } from '../../src/auth/user-administration.service.js';
import { AccountApi, cookieOf, type SignedIn } from '../support/account-api.js';
import { aVisitor } from '../support/oauth-api.js';
import { formIn, PageVisitor, shownText } from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const END = '/account/sessions/end';
const END_OTHERS = '/account/sessions/end-others';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

interface Row {
  readonly id: Buffer;
  readonly device: string;
  readonly address: string;
  readonly seconds: number;
}

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

/** Returns the user's sessions, with the latest login last. */
const rowsOf = ({ id }: Pick<SignedIn, 'id'> = ada.user): Promise<Row[]> =>
  app.database.query<Row>(
    `SELECT id, device, address, extract(epoch FROM now() - last_used_at)::float8 AS seconds
     FROM sessions WHERE user_id = $1 ORDER BY created_at`,
    [id],
  );
const ageRows = (seconds: number): Promise<unknown> =>
  app.database.query(
    'UPDATE sessions SET last_used_at = now() - make_interval(secs => $2) WHERE user_id = $1',
    [ada.user.id, seconds],
  );
const statusWith = async (cookie: string): Promise<number> =>
  (await api.loginWith({ Cookie: cookie })).status;
const isLoggedIn = async (visitor: PageVisitor): Promise<boolean> =>
  (await visitor.open('/account')).status === 200;

/** Creates a valid cookie with this content. */
function cookieWith(data: object): string {
  const expiresAtMs = app.clock.now().getTime() + 60_000;
  const [secret] = app.config.sessionSecrets;
  const id = new Cipher([secret], 'session').encrypt({
    expiresAtMs,
    data: { cookie: {}, ...data },
  });
  const mac = createHmac('sha256', secret).update(id).digest('base64').replace(/=+$/, '');
  return `session=${encodeURIComponent(`s:${id}.${mac}`)}`;
}

describe('the list of sessions', () => {
  it('shows the device and address of each session and marks the current browser', async () => {
    const phone = new PageVisitor(app);
    phone.agent.set('User-Agent', FIREFOX);
    await phone.logIn(ada.user);
    await new AccountApi(app, '127.0.0.9').post('/login', ada.user, { 'User-Agent': 'curl/8.5.0' });

    const page = await phone.open('/account/security').expect(200);

    const text = shownText(page, 'section[aria-labelledby="sessions"]');
    expect(text).toMatch(/^Sessions curl\/8.5.0 Logged in .* Address 127\.0\.0\.9 End /);
    expect(text).toContain('Firefox on Linux This browser Logged in');
    expect(text.match(/Last used/g)).toHaveLength(4);
    expect(text.match(/This browser/g)).toHaveLength(1);
    expect(page.text.match(/name="session"/g)).toHaveLength(3);
  });

  it('shows the user agent of a program as text', async () => {
    await api.post('/login', ada.user, { 'User-Agent': '<script>alert(1)</script>' }).expect(200);

    expect((await ada.open('/account/security')).text).toContain('&lt;script&gt;alert');
  });

  it('ends one session for pages and API, and keeps the others', async () => {
    const elsewhere = await aVisitor(app, ada.user);
    const { id } = (await rowsOf()).at(-1)!;
    const form = formIn(await ada.open('/account/security'), END);

    const answer = await ada.submit(form, { session: id.toString('base64url') });

    expect(answer.headers['location']).toBe('/account/security?done=session-ended');
    expect(await isLoggedIn(elsewhere)).toBe(false);
    await elsewhere.agent.post('/login').expect(401);
    expect(await isLoggedIn(ada)).toBe(true);
    expect(await statusWith(ada.user.cookie)).toBe(200);
    expect(await rowsOf()).toHaveLength(2);
  });

  it('ends all other sessions', async () => {
    const elsewhere = await aVisitor(app, ada.user);

    await ada.submit(await ada.form('/account/security', END_OTHERS)).expect(303);

    expect(await isLoggedIn(ada)).toBe(true);
    expect(await isLoggedIn(elsewhere)).toBe(false);
    expect(await statusWith(ada.user.cookie)).toBe(401);
    expect((await ada.open('/account/security')).text).not.toContain(END_OTHERS);
  });

  it('ends no session of another user', async () => {
    const eve = await aVisitor(app);
    const [{ id } = { id: Buffer.of() }] = await rowsOf();
    const form = formIn(await eve.open('/account/security'), END);

    await eve.submit(form, { session: id.toString('base64url') }).expect(303);
    await eve.submit({ ...form, action: END_OTHERS }).expect(303);

    expect(await rowsOf()).toHaveLength(2);
    expect(await isLoggedIn(ada)).toBe(true);
  });

  it.each(['', 'x', 'A'.repeat(43), 'A'.repeat(5000), "' OR 1=1 --", '\u202e'.repeat(43)])(
    'ends no session for the id %j',
    async (session) => {
      const form = formIn(await ada.open('/account/security'), END);

      await ada.submit(form, { session }).expect(303);

      expect(await rowsOf()).toHaveLength(2);
    },
  );

  it('requires the form token', async () => {
    await ada.post(END_OTHERS, {}).set('Origin', 'https://evil.example').expect(403);
    expect(await rowsOf()).toHaveLength(2);
  });
});

describe('a session', () => {
  it('continues when its cookie logs in, and is replaced by a login with the password', async () => {
    const first = await rowsOf();

    const again = cookieOf(await api.loginWith({ Cookie: ada.user.cookie }).expect(200));
    expect(await rowsOf()).toHaveLength(first.length);
    expect(again).not.toBe(ada.user.cookie);
    expect(again.length).toBeLessThan(4096);
    const { email, password } = ada.user;
    const anew = await api.post('/login', { email, password }, { Cookie: again }).expect(200);

    expect(await rowsOf()).toHaveLength(first.length);
    expect(await statusWith(again)).toBe(401);
    expect(await statusWith(cookieOf(anew))).toBe(200);
  });

  it('ends with every copy of its cookie when the user logs out in this browser', async () => {
    const { bob, copy } = await aCopiedBrowser();

    await bob.submit(await bob.form('/account', '/auth/leave')).expect(303);

    expect(await statusWith(copy)).toBe(401);
    expect(await statusWith(ada.user.cookie)).toBe(200);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['logs out everywhere', () => api.logout({ Cookie: ada.user.cookie })],
    ['is signed out', () => app.app.get(UserAdministrationService).signOut(ada.user.email)],
    ['is disabled', () => app.app.get(UserAdministrationService).disable(ada.user.email)],
    ['is deleted', () => app.app.get(UserAdministrationService).delete(ada.user.email)],
  ])('ends when its user %s', async (_, happens) => {
    await happens();

    expect(await rowsOf()).toEqual([]);
    expect(await isLoggedIn(ada)).toBe(false);
  });

  it('is valid only with its user, token version, id and row', async () => {
    const { id: userId } = ada.user;
    const eve = await api.signedIn();
    const sessionId = randomBytes(16).toString('base64url');
    const facts = { authenticated: true, user_id: userId, epoch: 0, session_id: sessionId };
    await app.database.query(
      `INSERT INTO sessions (id, user_id, device, address) VALUES (sha256($1::bytea), $2, 'x', '')`,
      [Buffer.from(sessionId), userId],
    );

    expect(await statusWith(cookieWith(facts))).toBe(200);
    expect(await statusWith(cookieWith({ ...facts, user_id: eve.id }))).toBe(401);
    expect(await statusWith(cookieWith({ ...facts, epoch: 1 }))).toBe(401);
    expect(await statusWith(cookieWith({ ...facts, session_id: 'x' }))).toBe(401);
    expect(await statusWith(cookieWith({ ...facts, authenticated: undefined }))).toBe(401);
    // A cookie from releases that did not store sessions.
    expect(await statusWith(cookieWith({ ...facts, session_id: undefined }))).toBe(401);
  });

  it('stores its last use once in five minutes, even for concurrent requests', async () => {
    await ageRows(400);
    await app.database.query(NOTE_WRITES);

    await Promise.all(Array.from({ length: 8 }, () => ada.open('/account').expect(200)));
    await ada.open('/account').expect(200);

    expect(await app.database.query('SELECT * FROM session_writes')).toHaveLength(1);
    await app.database.query('DROP TRIGGER note ON sessions');
    expect((await rowsOf()).map(({ seconds }) => seconds > 300)).toEqual([true, false]);
  });

  it('stores the address of its last use', async () => {
    await ageRows(400);

    await new AccountApi(app, '127.0.0.77').loginWith({ Cookie: ada.user.cookie }).expect(200);

    expect((await rowsOf()).map(({ address }) => address)).toEqual(['127.0.0.77', '127.0.0.1']);
  });

  it('is deleted after its cookie has expired, not earlier', async () => {
    await app.database.query('TRUNCATE sessions');
    const ttl = app.config.sessionTtlSeconds;
    for (const [age, device] of [
      [ttl + 7200, 'expired'],
      [ttl, 'in its last hour'],
    ]) {
      await app.database.query(
        `INSERT INTO sessions (id, user_id, device, address, last_used_at)
         VALUES (gen_random_uuid()::text::bytea, $1, $2, '', now() - make_interval(secs => $3))`,
        [ada.user.id, device, age],
      );
    }

    await app.app.get(Sessions).sweep();

    expect((await rowsOf()).map(({ device }) => device)).toEqual(['in its last hour']);
  });

  it('is deleted if its user has 100 sessions that were used more recently', async () => {
    await app.database.query(
      `INSERT INTO sessions (id, user_id, device, address, last_used_at)
       SELECT sha256(n::text::bytea), $1, 'script ' || n, '', now() - make_interval(mins => n)
       FROM generate_series(1, 120) AS n`,
      [ada.user.id],
    );

    await api.login(ada.user).expect(200);

    const devices = (await rowsOf()).map(({ device }) => device);
    expect(devices).toHaveLength(100);
    expect(devices).toEqual(expect.arrayContaining(['script 1', 'script 97']));
    expect(devices).not.toContain('script 98');
  });

  it('is created for each of several concurrent logins', async () => {
    const logins = await Promise.all(Array.from({ length: 6 }, () => api.login(ada.user)));

    const statuses = await Promise.all(logins.map((login) => statusWith(cookieOf(login))));
    expect(statuses).toEqual(Array<number>(6).fill(200));
    expect(await rowsOf()).toHaveLength(2 + 6);
  });

  it('is not stored again if it is deleted while in use', async () => {
    const { copy } = await aCopiedBrowser();
    await ageRows(400);
    const ends = app.database.query('DELETE FROM sessions WHERE user_id = $1', [ada.user.id]);
    const uses = Array.from({ length: 10 }, (_, at) =>
      at % 2 === 0 ? ada.open('/account') : api.loginWith({ Cookie: copy }),
    );

    const statuses = (await Promise.all(uses)).map(({ status }) => status);
    await ends;

    expect(statuses.filter((status) => ![200, 303, 401].includes(status))).toEqual([]);
    expect(await rowsOf()).toEqual([]);
    expect(await isLoggedIn(ada)).toBe(false);
  });
});

const NOTE_WRITES = `
  CREATE TABLE session_writes (id bytea);
  CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN INSERT INTO session_writes VALUES (NEW.id); RETURN NULL; END';
  CREATE TRIGGER note AFTER UPDATE ON sessions FOR EACH ROW EXECUTE FUNCTION note()`;

/** Returns a logged-in browser and a stolen copy of its cookie. */
async function aCopiedBrowser(): Promise<{ bob: PageVisitor; copy: string }> {
  const bob = new PageVisitor(app);
  const { email, password } = ada.user;
  const login = await bob.submit(await bob.form('/auth/login', '/auth/login'), { email, password });
  const copy = cookieOf(login);
  expect(await statusWith(copy)).toBe(200);
  return { bob, copy };
}
