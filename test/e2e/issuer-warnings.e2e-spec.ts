import { IssuerLogins, TestIssuer } from '../support/an-issuer.js';
import { warningsWith } from '../support/log-lines.js';
import { locationOf, PageVisitor } from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let issuer: TestIssuer;
let logins: IssuerLogins;

async function start(options: Parameters<typeof TestIssuer.for>[2] = {}): Promise<void> {
  app = await aTestApp();
  issuer = await TestIssuer.for(app, app.url, options);
  logins = new IssuerLogins(app, issuer);
}
afterEach(async () => {
  issuer.stop();
  await app.close();
});

const logIn = async (claims = {}): Promise<{ status: number; location: string | undefined }> => {
  const response = await logins.logIn(logins.known(claims).login);
  return {
    status: response.status,
    location: response.status === 303 ? locationOf(response) : undefined,
  };
};
const IN = { status: 303, location: '/list' };

describe('an issuer whose address ends with a slash', () => {
  it('is accepted without the slash in OIDC_ISSUER, with one warning', async () => {
    await start({ path: '/realm' });

    expect([await logIn(), await logIn()]).toEqual([IN, IN]);
    expect(warningsWith(app, 'OIDC_ISSUER')).toEqual([
      expect.stringContaining(`names itself ${issuer.url}/realm/`),
    ]);
  });

  it('is accepted with the slash, without a warning', async () => {
    await start({ path: '/realm' });
    const { address, ...others } = issuer.settings;
    const withSlash = new URL(`${address.href}/`);
    Object.assign(app.config, { issuer: { ...others, address: withSlash } });

    expect(await logIn()).toEqual(IN);
    expect(warningsWith(app, 'OIDC')).toEqual([]);
  });
});

describe('a client of the issuer', () => {
  it('can be registered with client_secret_post', async () => {
    await start({ clientAuth: 'client_secret_post' });

    expect([await logIn(), await logIn()]).toEqual([IN, IN]);
    expect(warningsWith(app, 'OIDC')).toEqual([]);
  });

  it('can be registered with client_secret_post while two users log in at once', async () => {
    await start({ clientAuth: 'client_secret_post', tokenRequestsAtOnce: 2 });

    expect(await Promise.all([logIn(), logIn()])).toEqual([IN, IN]);
    expect(warningsWith(app, 'OIDC')).toEqual([]);
  });

  it('uses client_secret_post after the error unauthorized_client, which Keycloak returns', async () => {
    await start({ clientAuth: 'client_secret_post', rejection: 'unauthorized_client' });

    expect(await logIn()).toEqual(IN);
  });

  it.each([
    ['client_secret_basic', 'invalid_client'],
    ['client_secret_post', 'invalid_client'],
    ['client_secret_basic', 'unauthorized_client'],
  ] as const)('logs one warning if its secret is wrong (%s, %s)', async (clientAuth, rejection) => {
    await start({ clientAuth, rejection });
    Object.assign(app.config, { issuer: { ...issuer.settings, clientSecret: 'hunter2' } });

    const statuses = [(await logIn()).status, (await logIn()).status];

    expect(statuses).toEqual([403, 403]);
    expect(warningsWith(app, 'OIDC_CLIENT_SECRET')).toEqual([
      expect.stringMatching(
        new RegExp(
          String.raw`the issuer 127\.0\.0\.1:\d+ rejects OIDC_CLIENT_ID or OIDC_CLIENT_SECRET \(${rejection}: .+\)$`,
        ),
      ),
    ]);
    expect(app.log()).not.toContain('hunter2');
  });
});

describe('an issuer that returns an error', () => {
  /** Returns the issuer's redirect for a person who declines to log in. */
  const refusal = async (visitor: PageVisitor): Promise<URL> =>
    new URL(await logins.answerFor(visitor, ''), app.url);

  it('is logged once with the error and its description, until a login succeeds', async () => {
    await start();
    for (const description of ['not for you', 'not for you']) {
      const visitor = new PageVisitor(app);
      const url = await refusal(visitor);
      url.searchParams.set('error_description', description);
      await visitor.open(`${url.pathname}${url.search}`).expect(403);
    }
    const [first, ...others] = warningsWith(app, 'OIDC_ISSUER');
    await logIn();
    const visitor = new PageVisitor(app);
    const url = await refusal(visitor);
    await visitor.open(`${url.pathname}${url.search}`).expect(403);

    expect(first).toMatch(/answers a login with an error \(access_denied: not for you\)$/);
    expect(others).toEqual([]);
    expect(warningsWith(app, 'OIDC_ISSUER')).toHaveLength(2);
  });

  it('cannot write control characters or long texts to the log, or many warnings', async () => {
    await start();
    const texts = ['\u001b[2Jred\nline', 'x'.repeat(5000), 'more', 'and more'];
    for (const text of texts) {
      const visitor = new PageVisitor(app);
      const url = await refusal(visitor);
      url.searchParams.set('error', `odd_${text}`);
      url.searchParams.set('error_description', text);
      await visitor.open(`${url.pathname}${url.search}`).expect(403);
    }

    const [warning = '', ...others] = warningsWith(app, 'OIDC_ISSUER');
    expect(warning).toContain('(odd_[2Jred line: [2Jred line)');
    expect(warning.length).toBeLessThan(600);
    expect(others).toEqual([]);
  });
});

describe('an email address from the issuer', () => {
  const missing = { email_verified: undefined };
  const unverified = { email_verified: false };

  it.each([
    ['without email_verified', missing, 'email_verified missing'],
    ['with email_verified false', unverified, 'email_verified false'],
    ['with a text', { email_verified: 'true' }, 'email_verified not a boolean'],
  ])('%s is rejected with one warning', async (_, claims, text) => {
    await start();

    expect([await logIn(claims), await logIn(claims)]).toMatchObject([
      { status: 403 },
      { status: 403 },
    ]);
    expect(warningsWith(app, 'OIDC_TRUST_EMAIL')).toEqual([expect.stringContaining(text)]);
    expect(app.log()).not.toMatch(/person\d+@/);
  });

  it.each([
    ['without email_verified', missing],
    ['with email_verified false', unverified],
  ])('%s is accepted with OIDC_TRUST_EMAIL=on', async (_, claims) => {
    await start();
    Object.assign(app.config, { issuer: { ...issuer.settings, trustsEmail: true } });

    expect(await logIn(claims)).toEqual(IN);
    expect(warningsWith(app, 'OIDC_TRUST_EMAIL')).toEqual([]);
  });

  it('that is verified causes no warning', async () => {
    await start();

    expect(await logIn()).toEqual(IN);
    expect(warningsWith(app, 'OIDC_TRUST_EMAIL')).toEqual([]);
  });
});
