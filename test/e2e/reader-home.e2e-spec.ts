import { aVisitor } from '../support/oauth-api.js';
import { headingOf, PageVisitor } from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

describe('the home page', () => {
  it('describes the service, and links to login and registration', async () => {
    const page = await new PageVisitor(app).open('/').expect(200);

    expect(headingOf(page)).toBe('Your private reading list');
    expect(page.text).toContain('href="/auth/login"');
    expect(page.text).toContain('href="/auth/register"');
  });

  it('redirects a user who is logged in to the list', async () => {
    const ada = await aVisitor(app);

    const answer = await ada.open('/').expect(303);

    expect(answer.headers['location']).toBe('/list');
  });
});
