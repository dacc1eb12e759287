import type { Browser, Page } from 'playwright-core';

import { AccountApi } from '../support/account-api.js';
import { launchChromium } from '../support/chromium.js';
import { OAuthApi } from '../support/oauth-api.js';
import { until } from '../support/processes.js';
import { logIn, savedOf } from '../support/reader-browser.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  app = await aTestApp();
  browser = await launchChromium();
  const context = await browser.newContext({ baseURL: app.url });
  page = await context.newPage();
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

const kept = (path: string): Promise<void> =>
  until(
    () => page.evaluate<boolean>(`caches.match('${path}').then((found) => found !== undefined)`),
    path,
  );

it('a page is stored for offline reading even if its save request bypassed the service worker', async () => {
  const ada = await new AccountApi(app).signedIn();
  await logIn(page, ada);
  await kept('/list');
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.setBypassServiceWorker', { bypass: true });

  await page.goto('/save?url=https://a.example/');

  const [id = ''] = (await savedOf({ app, api: await OAuthApi.of(app) }, ada)).keys();
  await kept(`/read/${id}`);
});
