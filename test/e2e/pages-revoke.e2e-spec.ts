import { aVisitor, OAuthApi } from '../support/oauth-api.js';
import { expectRefusal } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

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

describe('a code to which a user has agreed, and which is not exchanged', () => {
  it('ends with the access of its application, for its person alone', async () => {
    await reader.accessToken(ada);
    const bob = await aVisitor(app);
    const [mine, others, his] = [
      await reader.agreedCode(ada),
      await other.agreedCode(ada),
      await reader.agreedCode(bob),
    ];

    await ada.submit(await ada.form('/account', '/account/applications/revoke')).expect(303);

    expectRefusal(await reader.authorize({ code: mine }), 403, 158);
    await other.authorize({ code: others }).expect(200);
    await reader.authorize({ code: his }).expect(200);
  });

  it('ends when the person logs out everywhere and takes all access away', async () => {
    const code = await reader.agreedCode(ada);

    await ada.submit(await ada.form('/account', '/account/sign-out'), { revoke: '1' }).expect(303);

    expectRefusal(await reader.authorize({ code }), 403, 158);
  });

  it('lives on when the person only logs out everywhere, as access does', async () => {
    const code = await reader.agreedCode(ada);

    await ada.submit(await ada.form('/account', '/account/sign-out')).expect(303);

    await reader.authorize({ code }).expect(200);
  });

  it('gives no access that outlives the end of it, when both come at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const token = await reader.accessToken(ada);
      const code = await reader.agreedCode(ada);
      const form = await ada.form('/account', '/account/applications/revoke');

      const [granted] = await Promise.all([reader.authorize({ code }), ada.submit(form)]);

      await reader.get(token).expect(401);
      const late = new URLSearchParams(granted.text).get('access_token') ?? 'none';
      await reader.get(late).expect(401);
    }
  });
});
