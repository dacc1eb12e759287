import { aVisitor, OAuthApi, REDIRECT_URI } from '../support/oauth-api.js';
import type { PageVisitor } from '../support/page-visitor.js';
import { OAUTH_CLIENTS } from '../support/real-oauth-clients.js';
import { type RedirectedHost, redirectedHost } from '../support/redirected-host.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const HOST = 'getpocket.com';
const PAGE = 'https://example.com/page';

let app: TestApp;
let host: RedirectedHost;

beforeAll(async () => {
  app = await aTestApp();
  host = redirectedHost(HOST, app);
});
afterAll(async () => {
  host.restore();
  await app.close();
});

describe.each(Object.entries(OAUTH_CLIENTS))('the npm package %s', (_, connect) => {
  let reader: OAuthApi;
  let ada: PageVisitor & { user: { email: string } };

  beforeEach(async () => {
    reader = await OAuthApi.of(app);
    ada = await aVisitor(app);
  });

  it('completes the OAuth flow, adds a page and retrieves it', async () => {
    const client = connect(reader.key, REDIRECT_URI);
    const before = host.sent.length;

    const { code, authorizeUrl } = await client.request();
    const url = new URL(authorizeUrl);
    await ada.open(`${url.pathname}${url.search}`).expect(200);
    const answer = await ada.answer(code, 'authorized', url.searchParams.get('redirect_uri') ?? '');
    const { access_token, username } = await client.authorize(code);
    const list = client.with(access_token);
    await list.add({ url: PAGE });

    expect(url.host).toBe(HOST);
    expect(answer.headers['location']).toBe(REDIRECT_URI);
    expect(username).toBe(ada.user.email);
    expect(Object.values((await list.retrieve()).list as object)).toMatchObject([
      { given_url: PAGE },
    ]);
    expect(host.sent.slice(before, before + 2)).toEqual([
      { method: 'POST', path: '/v3/oauth/request' },
      { method: 'POST', path: '/v3/oauth/authorize' },
    ]);
  });

  it('gets no access token if the user denies access', async () => {
    const logged = jest.spyOn(console, 'error').mockReturnValue(undefined);
    const client = connect(reader.key, REDIRECT_URI);
    const { code } = await client.request();
    await ada.answer(code, 'rejected');

    const refused = await client.authorize(code).then(
      ({ access_token }) => access_token,
      () => undefined,
    );

    logged.mockRestore();
    expect(refused).toBeUndefined();
  });
});
