import pg from 'pg';
import type { Response } from 'supertest';

import { ApplicationPasswords } from '../../src/auth/consumers/application-passwords.service.js';
import { ConsumerKeysService } from '../../src/auth/consumers/consumer-keys.service.js';
import { ALL_PERMISSIONS } from '../../src/auth/consumers/permission.js';
import { UserRepository } from '../../src/auth/user.repository.js';
import { AccountApi, type Person } from '../support/account-api.js';
import { until } from '../support/processes.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { type Tokens, tokensIn, WallabagApi } from '../support/wallabag-api.js';

interface Password {
  readonly id: string;
  readonly tokens: Tokens;
  readonly text: string;
}

let app: TestApp;
let api: WallabagApi;
let ada: Person & { id: string };
let password: Password;

beforeAll(async () => {
  app = await aTestApp();
  api = await WallabagApi.of(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  ada = await new AccountApi(app).registered();
  password = await aPassword();
});

/** Creates an application password, and logs in with it. */
async function aPassword(): Promise<Password> {
  const user = await app.app.get(UserRepository).findOneByOrFail({ id: ada.id });
  const details = { name: 'KOReader', permissions: [...ALL_PERMISSIONS], validDays: 30 };
  const text = await app.app.get(ApplicationPasswords).create(user, details);
  const [key] = await app.database.query<{ id: string }>(
    'SELECT max(id) AS id FROM consumer_keys WHERE owner_id = $1',
    [ada.id],
  );
  const tokens = await api.tokens({ ...ada, password: text });
  return { id: key?.id ?? '', tokens, text };
}

const outcome = ({ status, body }: Response): unknown[] => [status, body.error];

const ENDS: readonly [string, (id: string) => Promise<unknown>][] = [
  [
    'has expired',
    (id) => app.database.query('UPDATE consumer_keys SET expires_at = now() WHERE id = $1', [id]),
  ],
  ['is revoked', (id) => app.app.get(ApplicationPasswords).revoke(ada.id, id)],
  ['is disabled', (id) => app.app.get(ConsumerKeysService).disable(id)],
];

describe.each(ENDS)('if the application password of a wallabag login %s', (_, end) => {
  it('its access tokens and refresh tokens are rejected, also refreshed ones', async () => {
    const refreshed = tokensIn(await api.refresh(password.tokens.refresh_token).expect(200));
    const fresh = await api.tokens({ ...ada, password: password.text });
    const all = [password.tokens, refreshed, fresh];
    for (const { access_token: token } of all) {
      await api.user(token).expect(200);
    }

    await end(password.id);

    for (const { access_token: access, refresh_token: refresh } of all) {
      expect(outcome(await api.user(access))).toEqual([401, 'invalid_grant']);
      expect(outcome(await api.refresh(refresh))).toEqual([400, 'invalid_grant']);
    }
    expect(outcome(await api.logIn({ ...ada, password: password.text }))).toEqual([
      400,
      'invalid_grant',
    ]);
  });

  it('the tokens of another password and of the password of the account still work', async () => {
    const other = await aPassword();
    const own = await api.tokens(ada);

    await end(password.id);

    for (const { access_token: access, refresh_token: refresh } of [other.tokens, own]) {
      await api.user(access).expect(200);
      const { access_token: next } = tokensIn(await api.refresh(refresh).expect(200));
      await api.user(next).expect(200);
    }
  });
});

it('the tokens of an application password work again if the password is enabled again', async () => {
  const keys = app.app.get(ConsumerKeysService);
  await keys.disable(password.id);
  await api.user(password.tokens.access_token).expect(401);

  await keys.enable(password.id);

  await api.user(password.tokens.access_token).expect(200);
  await api.refresh(password.tokens.refresh_token).expect(200);
});

describe('an application password that is revoked during a call', () => {
  /** Starts the call while the deletion of the password is not committed yet. */
  async function duringRevocation(call: () => PromiseLike<Response>): Promise<Response> {
    const revocation = new pg.Client({ connectionString: app.database.url });
    await revocation.connect();
    await revocation.query('BEGIN');
    await revocation.query('DELETE FROM consumer_keys WHERE id = $1', [password.id]);
    const late = Promise.resolve(call());
    await until(async () => (await app.database.lockWaits()) > 0);
    await revocation.query('COMMIT');
    await revocation.end();
    return late;
  }

  it('returns 400 to a login', async () => {
    const late = await duringRevocation(() => api.logIn({ ...ada, password: password.text }));

    expect(outcome(late)).toEqual([400, 'invalid_grant']);
  });

  it('returns 400 to a refresh', async () => {
    const late = await duringRevocation(() => api.refresh(password.tokens.refresh_token));

    expect(outcome(late)).toEqual([400, 'invalid_grant']);
  });
});
