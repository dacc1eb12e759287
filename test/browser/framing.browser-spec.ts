import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Browser, BrowserContext, Page } from 'playwright-core';

import { launchChromium } from '../support/chromium.js';
import { logIn } from '../support/reader-browser.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let api: ReadingListApi;
let browser: Browser;
/** Pages of another person. The browser sends them the same cookies, because only the port differs. */
let stranger: Server;
let context: BrowserContext;
let page: Page;
let item: string;
let snapshot: string;

const wrapped = (element: string): string => `<!doctype html><title>Win</title>${element}`;

beforeAll(async () => {
  app = await aTestApp();
  api = await ReadingListApi.of(app);
  browser = await launchChromium();
  stranger = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://x');
    response.setHeader('Content-Type', 'text/html');
    response.end(wrapped(searchParams.get('body') ?? ''));
  });
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  item = await api.saved('https://example.com/framed', { title: 'Words of the list' });
  const html = '<p>Words of the snapshot';
  const { body } = await api.post('/v3/snapshot', { item_id: item, html }).expect(200);
  snapshot = body.snapshot_id as string;
});
afterAll(async () => {
  await browser.close();
  stranger.close();
  await app.close();
});
beforeEach(async () => {
  context = await browser.newContext({ baseURL: app.url });
  page = await context.newPage();
  await logIn(page, api.user);
});
afterEach(() => context.close());

const strangerUrl = (element: string): string =>
  `http://127.0.0.1:${(stranger.address() as AddressInfo).port}/?${new URLSearchParams({
    body: element,
  }).toString()}`;

/** Opens a page of the stranger, and returns the texts of all its frames. */
async function framedTexts(element: string): Promise<string[]> {
  await page.goto(strangerUrl(element), { waitUntil: 'load' });
  const frames = page.frames().filter((frame) => frame !== page.mainFrame());
  // A browser may remove a refused frame.
  return Promise.all(
    frames.map((frame) => frame.evaluate<string>('document.body.innerText').catch(() => '')),
  );
}

describe('a page of a stranger', () => {
  it('shows no page of the service in a frame', async () => {
    const paths = [
      ...['/', '/list', `/read/${item}`, '/save?url=https://example.com/', '/account/keys'],
      ...['/account/delete', '/admin', '/snapshots', `/snapshots/${snapshot}`],
      ...[`/snapshots/${snapshot}/content`, '/api/docs', '/v3/get', '/nothing'],
    ];

    const texts = await framedTexts(
      paths.map((path) => `<iframe src="${app.url}${path}"></iframe>`).join(''),
    );

    expect(texts).toHaveLength(paths.length);
    expect(texts.filter((text) => !/refused to connect|^$/.test(text))).toEqual([]);
  });

  it.each(['object data', 'embed src'])('shows no page of the service with %s', async (element) => {
    const texts = await framedTexts(`<${element}="${app.url}/list" width="500">`);

    expect(texts.join()).not.toContain('Words of the list');
  });

  it('has no reference to a page of the service that it opens', async () => {
    await page.goto(strangerUrl('<button>Win</button>'));
    await page.evaluate(
      `document.querySelector('button').onclick = () => { window.opened = open(${JSON.stringify(`${app.url}/list`)}); }`,
    );
    const [opened] = await Promise.all([context.waitForEvent('page'), page.click('button')]);
    await opened.getByText('Words of the list').waitFor();

    expect(await opened.evaluate<boolean>('window.opener === null')).toBe(true);
    expect(await page.evaluate<boolean>('window.opened.closed')).toBe(true);
  });
});

it('shows a snapshot in a frame of the service itself', async () => {
  await page.goto(`/snapshots/${snapshot}`);

  await page.frameLocator('iframe').getByText('Words of the snapshot').waitFor();
});
