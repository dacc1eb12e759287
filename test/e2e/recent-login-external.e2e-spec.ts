import type { Test } from 'supertest';

import { AccountApi } from '../support/account-api.js';
import { IssuerLogins, IssuerVisitor, pathOf, TestIssuer } from '../support/an-issuer.js';
import { ageSessions, confirmPathTo } from '../support/old-sessions.js';
import { formIn, headingOf, locationOf, PageVisitor, shownText } from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const CONFIRM = '/auth/confirm';
const KEYS = '/account/keys';
const HEADING = 'Confirm that it is you';

let app: TestApp;
let issuer: TestIssuer;
let logins: IssuerLogins;

beforeAll(async () => {
  app = await aTestApp({
    config: { trustProxy: ['127.0.0.1'], forwardAuthHeader: 'remote-email' },
  });
  await new AccountApi(app).registered();
  issuer = await TestIssuer.for(app);
  logins = new IssuerLogins(app, issuer);
});
afterAll(async () => {
  issuer.stop();
  await app.close();
});

const idOf = async (email: string): Promise<string> =>
  (await app.database.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [email]))[0]
    ?.id ?? '';

/** Logs in with the issuer, 11 minutes ago. */
async function anOldLogin() {
  const { login, email } = logins.known();
  const { visitor } = await logins.logIn(login);
  const id = await idOf(email);
  await ageSessions(app, id);
  return { visitor, login, email, id };
}

/** Follows the link of the confirm page to the issuer. */
async function linkOf(visitor: PageVisitor, path = KEYS): Promise<URL> {
  const page = await visitor.open(confirmPathTo(path)).expect(200);
  const href = /href="(\/auth\/oidc\/confirm[^"]*)"/.exec(page.text)?.[1] ?? '';
  return new URL(locationOf(await visitor.open(href).expect(303)));
}

describe('a user who logs in with an issuer', () => {
  it('logs in there again, and continues with the requested page', async () => {
    const { visitor, login, id } = await anOldLogin();
    expect(locationOf(await visitor.open(KEYS).expect(303))).toBe(confirmPathTo(KEYS));
    const link = await linkOf(visitor);
    const answer = await visitor.open(pathOf(await new IssuerVisitor().logIn(link.href, login)));

    expect([link.searchParams.get('max_age'), link.searchParams.get('prompt')]).toEqual([
      '0',
      'login',
    ]);
    expect(locationOf(answer)).toBe(KEYS);
    await visitor.open(KEYS).expect(200);
    await ageSessions(app, id);
    await visitor.open(KEYS).expect(303);
  });

  it('is refused if the issuer has not asked for the credentials again', async () => {
    const { visitor, login } = await anOldLogin();
    const atIssuer = new IssuerVisitor();
    await atIssuer.logIn((await linkOf(visitor)).href, login);
    const link = await linkOf(visitor);
    link.searchParams.delete('max_age');
    link.searchParams.delete('prompt');
    const answer = await visitor.open(pathOf(await atIssuer.logIn(link.href, 'nobody')));

    expect([answer.status, headingOf(answer)]).toEqual([403, HEADING]);
    expect(shownText(answer, '[role=alert]')).toContain('Home ID did not ask you to log in again');
    await visitor.open(KEYS).expect(303);
  });

  it('is refused if the issuer reports an earlier login', async () => {
    const { visitor, login } = await anOldLogin();
    const atIssuer = new IssuerVisitor();
    await atIssuer.logIn((await linkOf(visitor)).href, login);
    app.clock.advance(120);
    const link = withoutPrompt(await linkOf(visitor));
    const answer = await visitor.open(pathOf(await atIssuer.logIn(link.href, 'nobody')));
    app.clock.advance(-120);

    expect(shownText(answer, '[role=alert]')).toContain('Home ID did not ask you to log in again');
    await visitor.open(KEYS).expect(303);
  });

  it('is refused with another account of the issuer, which is neither linked nor created', async () => {
    const { visitor } = await anOldLogin();
    const { login: other, email } = logins.known();
    const before = await logins.counts();
    const link = await linkOf(visitor);
    const answer = await visitor.open(pathOf(await new IssuerVisitor().logIn(link.href, other)));

    expect(shownText(answer, '[role=alert]')).toContain('You logged in with another account');
    expect(await logins.counts()).toEqual(before);
    expect(await idOf(email)).toBe('');
    await visitor.open(KEYS).expect(303);
  });

  it('continues with a form that was sent too late, after a login in another tab', async () => {
    const { visitor, login, id } = await anOldLogin();
    await ageSessions(app, id, -11);
    const form = await visitor.form(KEYS, KEYS);
    await ageSessions(app, id);
    const asked = await visitor.submit(form, { name: 'Cron', add: '1' });
    const tooEarly = await visitor.submit(formIn(asked, CONFIRM));
    const start = await visitor.open('/auth/oidc/confirm').expect(303);
    await visitor.open(pathOf(await new IssuerVisitor().logIn(locationOf(start), login)));
    const resend = await visitor
      .submit(formIn(asked, CONFIRM))
      .set('Sec-Fetch-Site', 'same-origin');

    expect(asked.text).toContain('Log in with Home ID in a new tab');
    expect(shownText(tooEarly, '[role=alert]')).toContain('You have not logged in again yet');
    expect(headingOf(resend)).toBe('Send it again?');
    expect((await visitor.submit(formIn(resend, KEYS))).status).toBe(200);
  });

  it('is as recent as the issuer says at the login', async () => {
    const { login } = logins.known();
    const visitor = new PageVisitor(app);
    app.clock.advance(11 * 60);
    const start = await visitor.open('/auth/oidc/start').expect(303);
    const link = withoutPrompt(new URL(locationOf(start)));
    await visitor.open(pathOf(await new IssuerVisitor().logIn(link.href, login)));
    const answer = await visitor.open(KEYS);
    app.clock.advance(-11 * 60);

    expect(locationOf(answer)).toBe(confirmPathTo(KEYS));
  });

  it('has proved nothing by a login without a known time, if the issuer reports times', async () => {
    const { login } = logins.known();
    const visitor = new PageVisitor(app);
    const start = await visitor.open('/auth/oidc/start').expect(303);
    const link = new URL(locationOf(start));
    const asked = link.searchParams.get('max_age');
    link.searchParams.delete('max_age');
    await visitor.open(pathOf(await new IssuerVisitor().logIn(link.href, login)));

    expect(asked).toBe('31536000');
    expect(locationOf(await visitor.open(KEYS))).toBe(confirmPathTo(KEYS));
  });

  it('is not sent to an issuer that the service no longer uses', async () => {
    const { visitor, id } = await anOldLogin();
    await app.database.query(
      `UPDATE identities SET issuer = 'https://old.example' WHERE user_id = $1`,
      [id],
    );

    const page = await visitor.open(confirmPathTo(KEYS)).expect(200);

    expect(page.text).not.toContain('/auth/oidc/confirm');
  });
});

describe('a user whom a proxy logs in', () => {
  const open = (visitor: PageVisitor, path: string, email: string): Test =>
    visitor.open(path).set('Remote-Email', email);

  it('is exempt without a password and a second factor', async () => {
    const ada = new PageVisitor(app);
    const email = 'proxied@example.com';
    await open(ada, '/list', email).expect(200);
    await ageSessions(app, await idOf(email));

    await open(ada, KEYS, email).expect(200);
  });

  it('enters the password, even after a login by the proxy a moment ago', async () => {
    const person = await new AccountApi(app).verified();
    const ada = new PageVisitor(app);

    expect(locationOf(await open(ada, KEYS, person.email))).toBe(confirmPathTo(KEYS));
    const page = await open(ada, confirmPathTo(KEYS), person.email).expect(200);
    const answer = await ada
      .submit(formIn(page, CONFIRM), { password: person.password })
      .set('Remote-Email', person.email);

    expect(locationOf(answer)).toBe(KEYS);
    await open(ada, KEYS, person.email).expect(200);
  });
});

/** Changes a link so that the issuer reports the time of the login, but does not ask for credentials again. */
function withoutPrompt(link: URL): URL {
  link.searchParams.set('max_age', '86400');
  link.searchParams.delete('prompt');
  return link;
}
