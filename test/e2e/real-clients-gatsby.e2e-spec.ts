import { Dialect } from '../../src/auth/consumers/entities/consumer-key.entity.js';
import { GATSBY_PLUGINS, sourcedBy } from '../support/gatsby-plugins.js';
import { aVisitor, REDIRECT_URI } from '../support/oauth-api.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { OAUTH_CLIENTS } from '../support/real-oauth-clients.js';
import { type RedirectedHost, redirectedHost } from '../support/redirected-host.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const PAGE = 'https://www.example.com/page?a=1&b=ü';

const EARLIER = Math.floor(Date.now() / 1000) - 3600;

const PLUGINS = GATSBY_PLUGINS.flatMap((name) =>
  Object.values(Dialect).map((dialect) => [name, dialect] as const),
);

let app: TestApp;
let host: RedirectedHost;

beforeAll(async () => {
  app = await aTestApp();
  host = redirectedHost('getpocket.com', app);
});
afterAll(async () => {
  host.restore();
  await app.close();
});

/** Gets a token with node-getpocket, as the plugins' readme recommends. */
async function accessTokenOf({ consumerKey }: ReadingListApi, ada: Visitor): Promise<string> {
  const library = OAUTH_CLIENTS['node-getpocket'](consumerKey, REDIRECT_URI);
  const { code } = await library.request();
  await ada.answer(code, 'authorized', REDIRECT_URI);
  return (await library.authorize(code)).access_token;
}

type Visitor = Awaited<ReturnType<typeof aVisitor>>;

describe.each(PLUGINS)('the npm package %s, in the %s dialect', (plugin, dialect) => {
  it('creates nodes from the list while items are added, changed and deleted', async () => {
    const ada = await aVisitor(app);
    const api = await ReadingListApi.of(app, { dialect, user: ada.user });
    const options = {
      consumerKey: api.consumerKey,
      accessToken: await accessTokenOf(api, ada),
      stateFilterString: 'all',
    };
    const before = host.sent.length;
    expect(await sourcedBy(plugin, options)).toEqual([]);

    const kept = await api.saved(PAGE, { title: 'é & ü', tags: 'one,two words' });
    // The plugin requests a year of changes in all states, the last added first.
    const gone = await api.saved('https://example.org/gone', { time: EARLIER });
    await api.send([
      { action: 'archive', item_id: kept },
      { action: 'favorite', item_id: kept },
    ]);
    expect((await sourcedBy(plugin, options)).map(({ url }) => url).toSorted()).toEqual([
      'https://example.org/gone',
      PAGE,
    ]);
    const [node] = await sourcedBy(plugin, { ...options, stateFilterString: 'archive' });
    expect(node).toMatchObject({
      ...{ id: `PocketArticle-${kept}`, url: PAGE, title: 'é & ü', favorite: true },
      ...{ articleDomain: 'www.example.com', tags: ['one', 'two words'], word_count: 0 },
    });
    expect(node!.time_read).toBeGreaterThan(1_700_000_000);
    expect(await sourcedBy(plugin, { ...options, tagFilterString: 'one' })).toEqual([node]);

    await api.send([{ action: 'delete', item_id: gone }]);
    const left = await sourcedBy(plugin, options);
    expect(left.filter(({ url }) => url !== undefined)).toEqual([node]);
    const calls = host.sent.slice(before).map(({ method, path }) => `${method} ${path}`);
    expect(new Set(calls)).toEqual(new Set(['POST /v3/get']));
  });
});
