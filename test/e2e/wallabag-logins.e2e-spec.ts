import type { Request } from 'express';
import pg from 'pg';
import type { Response } from 'supertest';

import { ApplicationPasswords } from '../../src/auth/consumers/application-passwords.service.js';
import { ClientsService } from '../../src/auth/consumers/clients.service.js';
import { ALL_PERMISSIONS, Permission } from '../../src/auth/consumers/permission.js';
import type { User } from '../../src/auth/entities/user.entity.js';
import { LoginAttempts } from '../../src/auth/login-attempts.js';
import { UserRepository } from '../../src/auth/user.repository.js';
import { AccountApi, type Person } from '../support/account-api.js';
import { ProtectedVisitor } from '../support/authenticator.js';
import { until } from '../support/processes.js';
import { aTestApp, NO_LIMITS, type TestApp } from '../support/test-app.js';
import { WallabagApi } from '../support/wallabag-api.js';

const LIMIT = 4;
const WAITING =
  'SELECT 1 FROM pg_locks WHERE NOT granted AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())';
const GRANTS = 'SELECT 1 FROM grants WHERE user_id = $1';
const WRONG = 'a wrong pass phrase';

let app: TestApp;
let api: WallabagApi;
let accounts: AccountApi;
let ada: Person & { id: string };

beforeAll(async () => {
  const limits = { ...NO_LIMITS, loginPerAccount: LIMIT };
  app = await aTestApp({ config: { limits } });
  api = await WallabagApi.of(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  accounts = new AccountApi(app);
  ada = await accounts.registered();
});

const userOf = ({ id }: { id: string }): Promise<User> =>
  app.app.get(UserRepository).findOneByOrFail({ id });

const applicationPassword = async (
  person: { id: string },
  permissions: readonly Permission[] = ALL_PERMISSIONS,
): Promise<string> => {
  const details = { name: 'KOReader', permissions: [...permissions] };
  return app.app.get(ApplicationPasswords).create(await userOf(person), details);
};

const outcome = ({ status, body }: Response): unknown[] => [status, body.error];
const wrongLogin = () => api.logIn({ ...ada, password: WRONG });

describe('a login of a wallabag client', () => {
  it('counts failed attempts together with those of the site', async () => {
    await wrongLogin();
    await wrongLogin();
    await accounts.login({ ...ada, password: WRONG }).expect(401);
    await accounts.login({ ...ada, password: WRONG }).expect(401);

    const refused = await api.logIn(ada);
    const site = await accounts.login(ada);

    expect(outcome(refused)).toEqual([429, 'too_many_requests']);
    expect(refused.headers['content-type']).toBe('application/json');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(site.status).toBe(429);
  });

  it('does not count successful attempts, even if they are many and concurrent', async () => {
    for (let round = 0; round < 3 * LIMIT; round += 1) {
      await api.logIn(ada).expect(200);
    }
    const atOnce = await Promise.all(Array.from({ length: LIMIT }, () => api.logIn(ada)));

    expect(atOnce.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it('does not reset failed attempts when an application password succeeds', async () => {
    const password = await applicationPassword(ada);
    for (let guess = 0; guess < LIMIT - 1; guess += 1) {
      expect(outcome(await wrongLogin())).toEqual([400, 'invalid_grant']);
      await api.logIn({ ...ada, password }).expect(200);
    }

    expect(outcome(await wrongLogin())).toEqual([400, 'invalid_grant']);
    expect(outcome(await wrongLogin())).toEqual([429, 'too_many_requests']);
    expect((await accounts.login(ada)).status).toBe(429);
  });

  it('rejects concurrent guesses over the limit', async () => {
    const guesses = await Promise.all(Array.from({ length: 3 * LIMIT }, wrongLogin));

    const heard = guesses.filter(({ status }) => status === 400);
    expect(heard).toHaveLength(LIMIT);
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(2 * LIMIT);
  });

  it('does not undo attempts of the next window if it succeeds after the end of its own', async () => {
    const attempts = app.app.get(LoginAttempts);
    const request = { ip: '127.0.0.1' } as Request;

    await attempts.run({ request, email: ada.email }, async () => {
      await app.database.query('UPDATE throttle_counters SET expires_at = now()');
      for (let guess = 0; guess < LIMIT; guess += 1) {
        expect(outcome(await wrongLogin())).toEqual([400, 'invalid_grant']);
      }
    });

    expect(outcome(await wrongLogin())).toEqual([429, 'too_many_requests']);
  });

  it('counts failed attempts by address if that limit is set', async () => {
    Object.assign(app.config, { limits: { ...NO_LIMITS, loginPerAddress: 2 } });
    const other = await accounts.registered();

    const answers = [
      await wrongLogin(),
      await api.logIn(ada),
      await wrongLogin(),
      await api.logIn(other),
    ];
    const elsewhere = await new AccountApi(app, '127.0.0.9').login(other);

    Object.assign(app.config, { limits: { ...NO_LIMITS, loginPerAccount: LIMIT } });
    expect(answers.map(({ status }) => status)).toEqual([400, 200, 400, 429]);
    expect(elsewhere.status).toBe(200);
  });
});

describe('a login with an application password', () => {
  it('accepts the password regardless of case and hyphens, but only for its user', async () => {
    const password = await applicationPassword(ada);
    const other = await accounts.registered();

    const tokens = await api.tokens({ ...ada, password });
    await api.tokens({ ...ada, password: password.replaceAll('-', '').toUpperCase() });

    await api.user(tokens.access_token).expect(200);
    expect(outcome(await api.logIn({ ...other, password }))).toEqual([400, 'invalid_grant']);
  });

  it('is rejected if the client has a permission that the password lacks', async () => {
    const password = await applicationPassword(ada, [Permission.Retrieve, Permission.Add]);
    const reading = await WallabagApi.of(app, { permissions: [Permission.Retrieve] });

    const { body } = await api.logIn({ ...ada, password }).expect(400);
    await reading.logIn({ ...ada, password }).expect(200);

    expect(body.error).toBe('invalid_grant');
    expect(body.error_description).toContain('"modify"');
  });

  it('is required with a second factor, for an unverified address, and if password login is off', async () => {
    const { user } = await ProtectedVisitor.of(app);
    const password = await applicationPassword(user);
    const hers = await applicationPassword(ada);

    const withFactor = await api.logIn(user).expect(400);
    const wrong = await api.logIn({ ...user, password: WRONG }).expect(400);
    await api.logIn({ ...user, password }).expect(200);
    Object.assign(app.config, { isEmailVerificationRequired: true });
    const unverified = await api.logIn(ada).expect(400);
    await api.logIn({ ...ada, password: hers }).expect(200);
    Object.assign(app.config, { isEmailVerificationRequired: false, passwordLogin: false });
    const off = await api.logIn(ada).expect(400);
    await api.logIn({ ...ada, password: hers }).expect(200);
    Object.assign(app.config, { passwordLogin: true });

    for (const { body } of [withFactor, unverified, off]) {
      expect(body.error).toBe('invalid_grant');
      expect(body.error_description).toContain('Use an application password');
    }
    expect(wrong.body.error_description).toBe('Invalid username and password combination');
  });
});

describe('a wallabag login during a concurrent change', () => {
  it('returns 400 and stores no grant if the user is logged out everywhere', async () => {
    const logOut = new pg.Client({ connectionString: app.database.url });
    await logOut.connect();
    await logOut.query('BEGIN');
    await logOut.query('UPDATE users SET session_epoch = session_epoch + 1 WHERE id = $1', [
      ada.id,
    ]);

    const late = api.logIn(ada).then((answer) => answer);
    await until(async () => (await app.database.query(WAITING)).length > 0);
    await logOut.query('COMMIT');
    await logOut.end();

    expect(outcome(await late)).toEqual([400, 'invalid_grant']);
    expect(await app.database.query(GRANTS, [ada.id])).toEqual([]);
  });

  it('returns 400 if the client is deleted', async () => {
    const deletion = new pg.Client({ connectionString: app.database.url });
    const gone = await WallabagApi.of(app);
    await deletion.connect();
    await deletion.query('BEGIN');
    await deletion.query('DELETE FROM consumer_keys WHERE id = $1', [gone.client.stored.id]);

    const late = gone.logIn(ada).then((answer) => answer);
    await until(async () => (await app.database.query(WAITING)).length > 0);
    await deletion.query('COMMIT');
    await deletion.end();

    expect(outcome(await late)).toEqual([400, 'invalid_client']);
  });

  it('returns 400 if the grant of the refresh token is revoked', async () => {
    const { refresh_token: token } = await api.tokens(ada);
    const revocation = new pg.Client({ connectionString: app.database.url });
    await revocation.connect();
    await revocation.query('BEGIN');
    await revocation.query('DELETE FROM grants WHERE user_id = $1', [ada.id]);

    const late = api.refresh(token).then((answer) => answer);
    await until(async () => (await app.database.query(WAITING)).length > 0);
    await revocation.query('COMMIT');
    await revocation.end();

    expect(outcome(await late)).toEqual([400, 'invalid_grant']);
  });
});

describe('a wallabag client that belongs to a user', () => {
  it('logs in only its owner', async () => {
    const details = { name: 'KOReader', permissions: [...ALL_PERMISSIONS] };
    const client = await app.app.get(ClientsService).create(await userOf(ada), details);
    const mine = new WallabagApi(app, client);
    const other = await accounts.registered();

    await mine.logIn(ada).expect(200);
    expect(outcome(await mine.logIn(other))).toEqual([400, 'unauthorized_client']);
    expect(await app.database.query(GRANTS, [other.id])).toEqual([]);
  });
});
