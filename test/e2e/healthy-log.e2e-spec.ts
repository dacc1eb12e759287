import request from 'supertest';

import { FeedsService } from '../../src/apis/feeds/feeds.service.js';
import { ImportApi } from '../support/import-api.js';
import { PageServer } from '../support/page-server.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { scrape, WITH_METRICS } from '../support/scrape.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

interface LogLine {
  readonly level: number;
  readonly msg?: string;
  readonly user?: string;
  readonly key?: string;
  readonly req?: { readonly path: string; readonly route: string };
}

const WARN = 40;

let pages: PageServer;
let app: TestApp;
let api: ReadingListApi;

beforeAll(async () => {
  pages = await PageServer.start({ delayMs: 0 });
  app = await aTestApp({
    config: {
      ...WITH_METRICS,
      ...{ resolverConcurrency: 2, resolveWaitMs: 60_000 },
      resolverAllows: { addresses: PageServer.addresses.split(','), ports: [pages.port] },
    },
  });
  api = await ReadingListApi.of(app);
});
afterAll(async () => {
  await app.close();
  await pages.stop();
});

const lines = (): LogLine[] =>
  app
    .log()
    .trim()
    .split('\n')
    .map((line): LogLine => JSON.parse(line));

const open = (path: string) =>
  request(app.url).get(path).set('Cookie', api.user.cookie).expect(200);

/** Returns the line of the latest request to a route. */
const lineOf = (route: string): LogLine | undefined =>
  lines().findLast(({ req }) => req?.route === route);

describe('the log of a healthy service', () => {
  it('contains no warning and no error after everything that users do', async () => {
    const url = `http://127.0.0.11:${pages.port}/page`;
    const itemId = await api.saved(url);
    await api.found();
    await api.sent({ action: 'archive', item_id: itemId });
    await open('/list?state=archive');
    await open(`/read/${itemId}`);
    await open('/account');
    await new ImportApi(app, api).imported('https://example.com/1\n');
    const feeds = app.app.get(FeedsService);
    await feeds.issue({ id: api.user.id });
    const { tags } = (await feeds.pathsOf(api.user.id))!;
    await request(app.url)
      .get(`${tags.replace(/tag\/$/, '')}unread.atom`)
      .expect(200);
    await scrape(app.url);

    expect(lines().filter(({ level }) => level >= WARN)).toEqual([]);
  });
});

describe('the line of a request', () => {
  it('names the user and the key of a call', async () => {
    await api.found();

    expect(lineOf('/v3/get')).toMatchObject({
      msg: 'request',
      user: api.user.id,
      key: expect.stringMatching(/^\d+$/),
    });
  });

  it('names the user of a page, but no key', async () => {
    await open('/account');

    const line = lineOf('/account');
    expect(line).toMatchObject({ user: api.user.id, req: { path: '/account' } });
    expect(line).not.toHaveProperty('key');
  });
});
