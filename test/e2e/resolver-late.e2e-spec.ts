import { readFileSync } from 'node:fs';

import { aFetcher } from '../support/a-fetcher.js';
import { until } from '../support/processes.js';
import { ok, PublicHost } from '../support/public-host.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const ARTICLE = readFileSync('test/fixtures/pages/article.html');
const TITLE = 'The lighthouse that learned to whisper';

let host: PublicHost;
let app: TestApp;
let api: ReadingListApi;

beforeAll(async () => {
  host = await PublicHost.start();
  app = await aTestApp({
    config: { resolverConcurrency: 2, resolveWaitMs: 50 },
    fetcher: aFetcher(host),
  });
  api = await ReadingListApi.of(app);
});
afterAll(async () => {
  await app.close();
  await host.stop();
});

describe('a page that is read too late for the client', () => {
  it('comes through since', async () => {
    let answer: () => void = () => undefined;
    host.speak((socket) => {
      answer = () => socket.end(ok(ARTICLE));
    });

    const { item } = (await api.add({ url: host.url() }).expect(200)).body;
    const { since } = await api.found();
    await until(() => host.heads.length > 0);
    answer();
    await until(async () => (await api.items())[0]?.resolved_id !== '0');

    expect(item).toMatchObject({ resolved_id: '0', title: item.given_url, response_code: '0' });
    expect(Object.values((await api.found({ since })).list)).toMatchObject([
      { resolved_title: TITLE, status: '0', item_id: item.item_id },
    ]);
  });
});
