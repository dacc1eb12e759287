import { Dialect } from '../../src/auth/consumers/entities/consumer-key.entity.js';
import { FURTHER_CLIENTS } from '../support/further-real-clients.js';
import { aVisitor } from '../support/oauth-api.js';
import { ReadingListApi, tagsOf } from '../support/reading-list-api.js';
import type { RealClient } from '../support/real-clients.js';
import { OAUTH_CLIENTS } from '../support/real-oauth-clients.js';
import { type RedirectedHost, redirectedHost } from '../support/redirected-host.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const HOST = 'getpocket.com';
const CALLBACK = 'https://reader.example.org/callback';
const PAGE = 'https://example.com/page?a=1&b=ü';

const CLIENTS = Object.entries({ ...OAUTH_CLIENTS, ...FURTHER_CLIENTS });
const JOURNEYS = CLIENTS.flatMap(([name, connect]) =>
  Object.values(Dialect).map((dialect) => [name, dialect, connect] as const),
);

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

describe.each(JOURNEYS)('the npm package %s, in the %s dialect', (_, dialect, connect) => {
  it('gets access by OAuth, and adds, gets, modifies and deletes items without code changes', async () => {
    const ada = await aVisitor(app);
    const api = await ReadingListApi.of(app, { dialect, user: ada.user });
    const library = connect(api.consumerKey, CALLBACK);
    const before = host.sent.length;

    const { code, authorizeUrl } = await library.request();
    const page = new URL(authorizeUrl);
    await ada.open(`${page.pathname}${page.search}`).expect(200);
    const told = await ada.answer(code, 'authorized', page.searchParams.get('redirect_uri') ?? '');
    const { access_token, username } = await library.authorize(code);
    const client = library.with(access_token);

    expect([page.host, username]).toEqual([HOST, ada.user.email]);
    expect(told.headers['location']).toMatch(/^https:\/\/reader\.example\.org\/callback/);
    await uses(client, api);
    const hosts = host.sent.slice(before).map(({ path }) => path.split('?')[0]);
    expect(new Set(hosts)).toEqual(
      new Set(['/v3/oauth/request', '/v3/oauth/authorize', '/v3/get', '/v3/add', '/v3/send']),
    );
  });
});

/** Runs everything that a client does with a list. */
async function uses(client: RealClient, api: ReadingListApi): Promise<void> {
  const ids = async (parameters?: object): Promise<string[]> =>
    Object.keys((await client.retrieve(parameters)).list as object);
  expect(await ids()).toEqual([]);

  await client.add({ url: PAGE, title: 'é & ü', tags: 'one,two words' });
  const [id = ''] = await ids({ detailType: 'complete', state: 'unread' });
  const item_id = Number(id);
  expect(await api.item(id)).toMatchObject({ given_url: PAGE, given_title: 'é & ü', status: '0' });

  await client.modify([
    { action: 'archive', item_id },
    { action: 'favorite', item_id },
    { action: 'tags_replace', item_id, tags: 'three' },
  ]);
  const changed = await api.item(id);
  expect(changed).toMatchObject({ status: '1', favorite: '1' });
  expect(tagsOf(changed)).toEqual(['three']);
  expect(await ids({ state: 'archive' })).toEqual([id]);

  await client.modify([{ action: 'delete', item_id }]);
  expect(await ids()).toEqual([]);
  expect(await api.items()).toEqual([]);
}
