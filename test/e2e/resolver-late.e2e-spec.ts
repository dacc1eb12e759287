import { readFileSync } from 'node:fs';

import type { FetchOutcome } from '../../src/platform/fetching/fetch-outcome.js';
import { DEFAULT_FETCH_SETTINGS } from '../../src/platform/fetching/fetch-settings.js';
import { PageFetcher } from '../../src/platform/fetching/page-fetcher.js';
import { aFetcher, NOW } from '../support/a-fetcher.js';
import { until } from '../support/processes.js';
import { ok, PublicHost } from '../support/public-host.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const ARTICLE = readFileSync('test/fixtures/pages/article.html');
const TITLE = 'The lighthouse that learned to whisper';

/** A fetcher that waits for `begin`. */
class LateFetcher extends PageFetcher {
  begin: () => void = () => undefined;
  private readonly told = new Promise<void>((resolve) => (this.begin = resolve));

  constructor(private readonly fetcher: PageFetcher) {
    const network = { lookup: () => Promise.resolve([]), allow: () => false };
    super({ now: () => NOW }, DEFAULT_FETCH_SETTINGS, network);
  }

  override async fetch(...args: Parameters<PageFetcher['fetch']>): Promise<FetchOutcome> {
    await this.told;
    return this.fetcher.fetch(...args);
  }
}

let host: PublicHost;
let fetcher: LateFetcher;
let app: TestApp;
let api: ReadingListApi;

beforeAll(async () => {
  host = await PublicHost.start();
  host.answer(ok(ARTICLE));
  fetcher = new LateFetcher(aFetcher(host));
  app = await aTestApp({ config: { resolverConcurrency: 2, resolveWaitMs: 50 }, fetcher });
  api = await ReadingListApi.of(app);
});
afterAll(async () => {
  await app.close();
  await host.stop();
});

describe('a page that is fetched after the response of /v3/add', () => {
  it('is returned by the next /v3/get with since', async () => {
    const { item } = (await api.add({ url: host.url() }).expect(200)).body;
    const { since } = await api.found();
    fetcher.begin();
    await until(async () => (await api.items())[0]?.resolved_id !== '0');

    expect(item).toMatchObject({ resolved_id: '0', title: item.given_url, response_code: '0' });
    expect(Object.values((await api.found({ since })).list)).toMatchObject([
      { resolved_title: TITLE, status: '0', item_id: item.item_id },
    ]);
  });
});
