import { Sessions } from '../../src/auth/session/sessions.js';
import { AccountApi } from '../support/account-api.js';
import { aVisitor } from '../support/oauth-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const HOUR = 3600;
const DAY = 24 * HOUR;

let app: TestApp;
let api: AccountApi;

const begin = async (limits: { idleSeconds?: number; absoluteSeconds?: number }): Promise<void> => {
  app = await aTestApp({
    config: { sessionLimits: { idleSeconds: Infinity, absoluteSeconds: Infinity, ...limits } },
  });
  api = new AccountApi(app);
};
afterEach(() => app.close());

const age = (
  column: 'last_used_at' | 'created_at',
  id: string,
  seconds: number,
): Promise<unknown> =>
  app.database.query(
    `UPDATE sessions SET ${column} = now() - make_interval(secs => $2) WHERE user_id = $1`,
    [id, seconds],
  );
const statusWith = async (cookie: string): Promise<number> =>
  (await api.loginWith({ Cookie: cookie })).status;

describe('a session with an idle limit of a day', () => {
  beforeEach(() => begin({ idleSeconds: DAY }));

  it('ends after a day without a request, and not before', async () => {
    const { id, cookie } = await api.signedIn();

    await age('last_used_at', id, DAY - HOUR);
    const before = await statusWith(cookie);
    await age('last_used_at', id, DAY + 1);
    const after = await statusWith(cookie);

    expect([before, after]).toEqual([200, 401]);
  });

  it('lasts while requests arrive', async () => {
    const { id, cookie } = await api.signedIn();
    await age('created_at', id, 10 * DAY);
    await age('last_used_at', id, DAY - HOUR);
    await statusWith(cookie);

    await app.database.query(
      `UPDATE sessions SET last_used_at = last_used_at - interval '23 hours' WHERE user_id = $1`,
      [id],
    );

    expect(await statusWith(cookie)).toBe(200);
  });

  it('is no longer among the sessions of the account page, and opens no page', async () => {
    const ada = await aVisitor(app);
    await age('last_used_at', ada.user.id, DAY + 1);
    const again = await aVisitor(app, ada.user);

    const closed = await ada.open('/account/security');
    const opened = await again.open('/account/security');

    expect([closed.status, opened.status]).toEqual([303, 200]);
    expect(opened.text).not.toContain('/account/sessions/end');
  });
});

describe('a session with an absolute limit of a day', () => {
  beforeEach(() => begin({ absoluteSeconds: DAY }));

  it('ends a day after the login, although it was just used', async () => {
    const { id, cookie } = await api.signedIn();

    await age('created_at', id, DAY - HOUR);
    const before = await statusWith(cookie);
    await age('created_at', id, DAY + 1);
    const after = await statusWith(cookie);

    expect([before, after]).toEqual([200, 401]);
  });
});

describe('a session without limits', () => {
  it('lasts as long as its cookie', async () => {
    await begin({});
    const { id, cookie } = await api.signedIn();
    await age('last_used_at', id, 13 * DAY);
    await age('created_at', id, 300 * DAY);

    await app.app.get(Sessions).sweep();

    expect(await statusWith(cookie)).toBe(200);
  });
});
