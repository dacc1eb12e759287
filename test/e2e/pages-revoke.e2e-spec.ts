import pg from 'pg';
import type { Response } from 'supertest';

import { aVisitor, OAuthApi } from '../support/oauth-api.js';
import { consentPath, locationOf } from '../support/page-visitor.js';
import { until } from '../support/processes.js';
import { expectRefusal } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const WAITING = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

let app: TestApp;
let reader: OAuthApi;
let other: OAuthApi;
let ada: Awaited<ReturnType<typeof aVisitor>>;

beforeAll(async () => {
  app = await aTestApp();
  reader = await OAuthApi.of(app, { name: 'Reader' });
  other = await OAuthApi.of(app, { name: 'Other' });
});
afterAll(() => app.close());
beforeEach(async () => {
  ada = await aVisitor(app);
});

/** Sends a user's consent so that it is processed just after all access to the account was revoked. */
async function lateConsent(code: string): Promise<Response> {
  const form = await ada.form(consentPath(code), '/auth/authorize');
  const other = new pg.Client(app.database.url);
  await other.connect();
  try {
    await other.query('BEGIN');
    await other.query('UPDATE users SET session_epoch = session_epoch + 1 WHERE id = $1', [
      ada.user.id,
    ]);
    const answer = ada.submit(form, { decision: 'authorized' }).then((response) => response);
    await until(
      async () => (await app.database.query(WAITING)).length > 0,
      'a wait for the account',
    );
    await other.query('COMMIT');
    return await answer;
  } finally {
    await other.end();
  }
}

describe('consent', () => {
  it('is rejected if the user is signed out meanwhile, until the user logs in and agrees again', async () => {
    const code = await reader.code();

    const answer = await lateConsent(code);

    expect([answer.status, locationOf(answer)]).toEqual([
      303,
      consentPath(code).replace('/auth/authorize', '/auth/login'),
    ]);
    expectRefusal(await reader.authorize({ code }), 403, 158);
    await ada.logIn(ada.user);
    await ada.answer(code, 'authorized');
    await reader.authorize({ code }).expect(200);
  });

  it('gives no access if all access is revoked concurrently', async () => {
    for (let round = 0; round < 10; round += 1) {
      const code = await reader.code();
      const consent = await ada.form(consentPath(code), '/auth/authorize');
      const leave = await ada.form('/account/security', '/account/sign-out');

      await Promise.all([
        ada.submit(consent, { decision: 'authorized' }),
        ada.submit(leave, { revoke: '1' }),
      ]);

      expectRefusal(await reader.authorize({ code }), 403, 158);
      await ada.logIn(ada.user);
    }
  });
});

describe('a request code that is approved but not exchanged', () => {
  it('is invalidated when its user revokes the application; other codes stay valid', async () => {
    await reader.accessToken(ada);
    const bob = await aVisitor(app);
    const [mine, others, his] = [
      await reader.agreedCode(ada),
      await other.agreedCode(ada),
      await reader.agreedCode(bob),
    ];

    await ada
      .submit(await ada.form('/account/devices', '/account/applications/revoke'))
      .expect(303);

    expectRefusal(await reader.authorize({ code: mine }), 403, 158);
    await other.authorize({ code: others }).expect(200);
    await reader.authorize({ code: his }).expect(200);
  });

  it('is invalidated when the user logs out everywhere and revokes all access', async () => {
    const code = await reader.agreedCode(ada);

    await ada
      .submit(await ada.form('/account/security', '/account/sign-out'), { revoke: '1' })
      .expect(303);

    expectRefusal(await reader.authorize({ code }), 403, 158);
  });

  it('stays valid when the user only logs out everywhere', async () => {
    const code = await reader.agreedCode(ada);

    await ada.submit(await ada.form('/account/security', '/account/sign-out')).expect(303);

    await reader.authorize({ code }).expect(200);
  });

  it('gives no lasting access if the application is revoked concurrently', async () => {
    for (let round = 0; round < 10; round += 1) {
      const token = await reader.accessToken(ada);
      const code = await reader.agreedCode(ada);
      const form = await ada.form('/account/devices', '/account/applications/revoke');

      const [granted] = await Promise.all([reader.authorize({ code }), ada.submit(form)]);

      await reader.get(token).expect(401);
      const late = new URLSearchParams(granted.text).get('access_token') ?? 'none';
      await reader.get(late).expect(401);
    }
  });
});
