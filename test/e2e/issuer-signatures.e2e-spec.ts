import { isLoggedIn, IssuerLogins, TestIssuer } from '../support/an-issuer.js';
import { headingOf, locationOf } from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const METADATA = '/.well-known/openid-configuration';

interface Answers {
  /** The algorithms that the metadata list. */
  readonly algorithms?: readonly string[];
  /** Changes an ID token. */
  readonly forge: (token: string) => string;
}

let app: TestApp;
let issuer: TestIssuer | undefined;

beforeEach(async () => {
  app = await aTestApp({ config: { registration: 'open' } });
});
afterEach(async () => {
  issuer?.stop();
  await app.close();
});

/** Starts an issuer that changes its metadata and its ID tokens. */
async function anIssuerWith({ algorithms, forge }: Answers): Promise<IssuerLogins> {
  issuer = await TestIssuer.for(app, app.url, {
    change: async (context, next) => {
      await next();
      const body = context.body as Record<string, unknown> | undefined;
      if (body !== undefined && context.path === METADATA && algorithms !== undefined) {
        body['id_token_signing_alg_values_supported'] = algorithms;
      }
      if (typeof body?.['id_token'] === 'string') {
        body['id_token'] = forge(body['id_token']);
      }
    },
  });
  return new IssuerLogins(app, issuer);
}

/** Replaces the signature of a token. */
const forged = (token: string): string =>
  [...token.split('.').slice(0, 2), Buffer.alloc(256, 1).toString('base64url')].join('.');

/** Replaces the signature of a token by one with a secret, and says so in its header. */
const signedWithSecret = (token: string): string =>
  forged(token).replace(/^[^.]+/, Buffer.from('{"alg":"HS256"}').toString('base64url'));

describe('an ID token of the issuer', () => {
  it('with another signature is rejected', async () => {
    const logins = await anIssuerWith({ forge: forged });

    const page = await logins.logIn(logins.known().login);

    expect([page.status, headingOf(page)]).toEqual([403, 'Log in']);
    expect(await isLoggedIn(page.visitor)).toBe(false);
  });

  it('is accepted with the signature of the issuer', async () => {
    const logins = await anIssuerWith({ forge: (token) => token });

    expect(locationOf(await logins.logIn(logins.known().login))).toBe('/list');
  });

  it('is trusted if the issuer signs only with the client secret', async () => {
    const logins = await anIssuerWith({ algorithms: ['HS256'], forge: signedWithSecret });

    expect(locationOf(await logins.logIn(logins.known().login))).toBe('/list');
  });
});
