import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync } from 'node:zlib';

import type { Page } from 'playwright-core';

import { AccountApi, type SignedIn } from '../support/account-api.js';
import { ExtensionBrowser } from '../support/extension-browser.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const PIXEL = Buffer.from('R0lGODlhAQABAIABAP8AAP///yH5BAEKAAEALAAAAAABAAEAAAICRAEAOw==', 'base64');

const PAGE = (
  other: string,
): string => `<!doctype html><html onclick="alert(1)"><head><title>The page</title>
<link rel="stylesheet" href="/a.css"><style id="inserted"></style>
<script>
  document.getElementById('inserted').sheet.insertRule('#b { color: rgb(0, 0, 255) }');
  customElements.define('my-card', class extends HTMLElement {
    constructor() { super(); this.attachShadow({ mode: 'closed' }).innerHTML = '<b id=in>In the shadow</b>'; }
  });
</script></head><body>
<p id="a" onclick="alert(1)">Words</p><p id="b">Blue</p><p id="c" style="background-image:url(/same.gif)">Styled</p>
<img id="same" src="/same.gif"><img id="other" srcset="${other}/other.gif 1x"><my-card></my-card>
<iframe src="/frame"></iframe><a href="/link">Link</a>
<form action="/send"><input id="text" name="text"><input id="password" type="password" value="secret"></form>
<script>document.getElementById('text').value = 'Typed'</script>
</body></html>`;

const FILES: Readonly<Record<string, readonly [type: string, body: string | Buffer]>> = {
  '/a.css': ['text/css', '@import "b.css" screen; #a { background: url(same.gif) }'],
  '/b.css': ['text/css', '#a { color: rgb(0, 128, 0) }'],
  '/same.gif': ['image/gif', PIXEL],
  '/other.gif': ['image/gif', PIXEL],
  '/big.gif': ['image/gif', Buffer.concat([PIXEL, Buffer.alloc(300_000)])],
  '/frame': ['text/html', 'In the frame'],
};

let app: TestApp;
let servers: Server[];
let site: string;
let browser: ExtensionBrowser;
let ada: SignedIn;
let api: ReadingListApi;

async function served(
  pageOf: (path: string) => readonly [string, string | Buffer],
): Promise<string> {
  const server = createServer((request, response) => {
    const [type, body] = pageOf(request.url ?? '');
    response.setHeader('Content-Type', type).end(body);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  servers = [];
  app = await aTestApp({ config: { snapshotLimitBytes: 200_000 } });
  const fileAt = (path: string) => FILES[path] ?? (['text/plain', ''] as const);
  const other = await served(fileAt);
  site = await served((path) =>
    path.startsWith('/page')
      ? ['text/html', PAGE(other) + (path.endsWith('?big') ? '<img src="/big.gif">' : '')]
      : fileAt(path),
  );
  ada = await new AccountApi(app).signedIn();
  api = await ReadingListApi.of(app, { user: ada });
  browser = await ExtensionBrowser.launched(['http://127.0.0.1/*']);
  const { consumer_key: key, access_token: token } = api.credentials;
  const connection = { server: app.url, key, token, username: ada.email };
  await browser.worker.evaluate(`chrome.storage.local.set(${JSON.stringify({ connection })})`);
});
afterAll(async () => {
  await browser.close();
  servers.forEach((server) => server.close());
  await app.close();
});

async function logIn(): Promise<Page> {
  const page = await browser.page(`${app.url}/auth/login`);
  await page.getByLabel('Email address').fill(ada.email);
  await page.getByLabel('Password').fill(ada.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.waitForURL(/\/list|\/account|\/welcome|\/$/);
  return page;
}

it('saves the page as the user sees it, and the reader shows it without scripts', async () => {
  const page = await browser.page(`${site}/page`);
  const popup = await browser.popup(page);
  expect(await popup.status()).toBe('Saved');

  expect(await popup.press('Save snapshot')).toBe(
    'Snapshot saved without some pictures, styles or frames',
  );
  await popup.close();
  await page.close();

  const reader = await logIn();
  const requests: string[] = [];
  reader.on('request', (request) => requests.push(request.url()));
  await reader.goto(`${app.url}/snapshots`);
  await reader.getByRole('link', { name: 'The page', exact: true }).click();
  const frame = reader.frameLocator('iframe.snapshot');
  await frame.getByText('Words').waitFor();
  const document = reader.frames().at(-1)!;
  const styleOf = (selector: string, name: string): Promise<string> =>
    document.evaluate(
      `getComputedStyle(document.querySelector('${selector}')).getPropertyValue('${name}')`,
    );

  expect(await styleOf('#a', 'color')).toBe('rgb(0, 128, 0)');
  expect(await styleOf('#b', 'color')).toBe('rgb(0, 0, 255)');
  expect(await styleOf('#a', 'background-image')).toContain('data:image/gif');
  expect(await styleOf('#c', 'background-image')).toContain('data:image/gif');
  for (const id of ['#same', '#other']) {
    const width: unknown = await document.evaluate(`document.querySelector('${id}').naturalWidth`);
    expect(width).toBe(1);
  }
  await frame.getByText('In the shadow').waitFor();
  expect(await frame.locator('#text').inputValue()).toBe('Typed');
  expect(await frame.locator('#password').inputValue()).toBe('');
  expect(await frame.getByText('Link', { exact: true }).getAttribute('href')).toBe(`${site}/link`);
  expect(await frame.locator('iframe, script, [onclick]').count()).toBe(0);
  expect(requests.filter((url) => !url.startsWith(app.url) && !url.startsWith('data:'))).toEqual(
    [],
  );
  await reader.close();
});

it('saves a snapshot with each page if the user wants it', async () => {
  await browser.worker.evaluate(`chrome.storage.local.set({ savesSnapshots: true })`);
  const page = await browser.page(`${site}/a.css`);
  await page.goto(`${site}/page?second`);

  const popup = await browser.popup(page);

  expect(await popup.status()).toBe('Saved');
  const rows = await app.database.query(
    'SELECT FROM snapshots JOIN items USING (user_id, item_id) WHERE given_url = $1',
    [page.url()],
  );
  expect(rows).toHaveLength(1);
  await popup.close();
  await page.close();
});

it('leaves out a picture with which the snapshot would exceed the limit of the service', async () => {
  await browser.worker.evaluate(`chrome.storage.local.set({ savesSnapshots: false })`);
  const page = await browser.page(`${site}/page?big`);
  const popup = await browser.popup(page);
  expect(await popup.status()).toBe('Saved');

  expect(await popup.press('Save snapshot')).toBe(
    'Snapshot saved without some pictures, styles or frames',
  );

  const [row] = await app.database.query<{ html: Buffer }>(
    'SELECT html FROM snapshots JOIN items USING (user_id, item_id) WHERE given_url = $1',
    [page.url()],
  );
  const html = brotliDecompressSync(row!.html).toString();
  expect(html.match(/<img [^>]*src="data:image\/gif/g)).toHaveLength(2);
  expect(html).toMatch(/<img src="">/);
  await popup.close();
  await page.close();
});

it('reports a snapshot that the service rejects, after it has saved the page', async () => {
  await browser.worker.evaluate(`chrome.storage.local.set({ savesSnapshots: true })`);
  await app.database.query('ALTER TABLE snapshots RENAME TO snapshots_away');
  const page = await browser.page(`${site}/page?third`);

  const popup = await browser.popup(page);

  expect(await popup.status()).toMatch(/^Saved without a snapshot\. /);
  await app.database.query('ALTER TABLE snapshots_away RENAME TO snapshots');
  expect(await api.items({ url: page.url() })).toHaveLength(1);
  await popup.close();
  await page.close();
});
