import { AccountApi } from '../support/account-api.js';
import { IssuerLogins, TestIssuer } from '../support/an-issuer.js';
import { formIn, headingOf, locationOf, PageVisitor, shownText } from '../support/page-visitor.js';
import { ASK_PATH } from '../support/required-factor-world.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let issuer: TestIssuer;

beforeAll(async () => {
  app = await aTestApp({
    config: {
      ...{ trustProxy: ['127.0.0.1'], forwardAuthHeader: 'remote-email' },
      secondFactorRequiredFor: 'everyone',
    },
  });
  await new AccountApi(app).registered();
  issuer = await TestIssuer.for(app);
});
afterAll(async () => {
  issuer.stop();
  await app.close();
});
afterEach(() => {
  Object.assign(app.config, { passwordLogin: true });
});

describe('a required second factor', () => {
  it('is the task of the issuer, for users who log in there', async () => {
    const logins = new IssuerLogins(app, issuer);
    const { visitor } = await logins.logIn(logins.known().login);

    await visitor.open('/account').expect(200);
  });

  it('is the task of the proxy, for users whom it logs in', async () => {
    const visitor = new PageVisitor(app);

    await visitor.open('/account').set('Remote-Email', 'proxied@example.com').expect(200);
  });

  it('is needed for a login by password of the same user', async () => {
    const ada = await new AccountApi(app).verified();
    const [proxied, visitor] = [new PageVisitor(app), new PageVisitor(app)];
    await proxied.open('/account').set('Remote-Email', ada.email).expect(200);

    await visitor.logIn(ada);

    expect(locationOf(await visitor.open('/account'))).toBe(`${ASK_PATH}?next=%2Faccount`);
  });

  it('leaves only the logout, in an old session, after the operator has turned passwords off', async () => {
    const visitor = new PageVisitor(app);
    await visitor.logIn(await new AccountApi(app).verified());
    Object.assign(app.config, { passwordLogin: false });

    const page = await visitor.open(ASK_PATH).expect(200);

    expect(headingOf(page)).toBe('Second factor required');
    expect(shownText(page, '[role=status]')).toContain('Log out, and log in in another way');
    expect(page.text).not.toContain('/account/');
    await visitor.submit(formIn(page, '/auth/leave')).expect(303);
  });
});
