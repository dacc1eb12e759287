import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Browser, BrowserContext, Page } from 'playwright-core';

import { AccountApi, type SignedIn } from '../support/account-api.js';
import { launchChromium } from '../support/chromium.js';
import { OAuthApi } from '../support/oauth-api.js';
import { logIn, savedOf } from '../support/reader-browser.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let api: OAuthApi;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let ada: SignedIn;
let site: Server;
let siteUrl: string;

/** Serves a page of another site. */
beforeAll(async () => {
  app = await aTestApp();
  api = await OAuthApi.of(app);
  site = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html').end('<title>A & B</title><h1>Elsewhere</h1>');
  }).listen(0);
  siteUrl = `http://localhost:${(site.address() as AddressInfo).port}`;
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  site.close();
  await app.close();
});
beforeEach(async () => {
  ada = await new AccountApi(app).signedIn();
  context = await browser.newContext({ baseURL: app.url });
  page = await context.newPage();
});
afterEach(() => context.close());

function refuseOtherThanClosed(error: unknown): void {
  if (!/has been closed/.test(String(error))) {
    throw error;
  }
}

describe('saving a page of another site', () => {
  it('works with one click on the bookmarklet', async () => {
    await logIn(page, ada);
    await page.goto('/save');
    const link = page.getByRole('link', { name: 'Save to Satchel' });
    const script = (await link.getAttribute('href')) ?? '';
    await page.goto(`${siteUrl}/article?x=1&y=%20`);
    const opened = context.waitForEvent('page');

    await page.evaluate(
      `document.body.append(Object.assign(document.createElement('a'), ${JSON.stringify({ id: 'bookmark', href: script, textContent: 'x' })}))`,
    );
    await page.click('#bookmark');

    const popup = await opened;
    await popup.getByRole('heading', { name: 'Saved' }).waitFor();
    expect(await popup.getByRole('status').innerText()).toContain('A & B');
    expect([...(await savedOf({ app, api }, ada)).values()]).toEqual([
      `${siteUrl}/article?x=1&y=%20`,
    ]);
    const closed = popup.waitForEvent('close');
    // The window may close before the click is reported as done.
    await popup.getByRole('button', { name: 'Close' }).click().catch(refuseOtherThanClosed);
    await closed;
  });

  it.each([
    ['of another site', () => siteUrl],
    ['in a page of this site, such as an article', () => '/list'],
  ])('requires confirmation for a link %s, also after a reload', async (_, from) => {
    await logIn(page, ada);
    await page.goto(from());

    await page.evaluate(`location.href = '${app.url}/save?url=https://evil.example/'`);
    await page.getByRole('heading', { name: 'Save this page?' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Save this page?' }).waitFor();

    expect((await savedOf({ app, api }, ada)).size).toBe(0);
  });
});

describe('the web app', () => {
  it('has a manifest that Chromium can install', async () => {
    await logIn(page, ada);
    await page.goto('/account');
    const session = await context.newCDPSession(page);

    const { errors, data = '' } = await session.send('Page.getAppManifest');

    expect(errors).toEqual([]);
    const manifest = JSON.parse(data) as { icons: { src: string }[] };
    expect(manifest).toMatchObject({ start_url: '/list', share_target: { action: '/save' } });
    for (const { src } of manifest.icons) {
      expect((await page.request.get(src)).status()).toBe(200);
    }
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual(['in-incognito']);
  });
});
