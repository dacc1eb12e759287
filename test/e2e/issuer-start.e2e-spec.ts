import { TestIssuer } from '../support/an-issuer.js';
import { locationOf, PageVisitor } from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const PATH = '/auth/oidc/start?next=/archive';

describe('the link to a login at the issuer', () => {
  let app: TestApp;
  let issuer: TestIssuer;

  beforeAll(async () => {
    app = await aTestApp();
    issuer = await TestIssuer.for(app);
  });
  afterAll(async () => {
    issuer.stop();
    await app.close();
  });

  it.each(['same-origin', 'none'])('redirects to the issuer from %s', async (site) => {
    const answer = await new PageVisitor(app).open(PATH).set('Sec-Fetch-Site', site);

    expect(locationOf(answer)).toContain(issuer.url);
  });

  it.each(['cross-site', 'same-site'])('redirects to the login page from %s', async (site) => {
    const answer = await new PageVisitor(app).open(PATH).set('Sec-Fetch-Site', site);

    expect([answer.status, locationOf(answer)]).toEqual([303, '/auth/login?next=%2Farchive']);
  });
});
