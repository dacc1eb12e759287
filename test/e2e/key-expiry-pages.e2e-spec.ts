import { aVisitor, OAuthApi } from '../support/oauth-api.js';
import { consentPath, shownText } from '../support/page-visitor.js';
import type { Visitor } from '../support/personal-keys-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let ada: Visitor;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  ada = await aVisitor(app);
});

describe('the pages say that access ends when it expires', () => {
  it.each([
    ['application passwords', '/account/keys/passwords'],
    ['clients', '/account/keys/clients'],
  ])('on the page of %s', async (_, path) => {
    expect(shownText(await ada.open(path))).toContain('works until it expires or you revoke it.');
  });

  it('on the consent page', async () => {
    const code = await (await OAuthApi.of(app)).code();

    const page = shownText(await ada.open(consentPath(code)));

    expect(page).toContain('keeps this access until it expires or you revoke it');
  });
});
