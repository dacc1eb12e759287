import type { Browser, BrowserContext, Page } from 'playwright-core';

import { launchChromium } from '../support/chromium.js';
import { aDatabaseProxy, type DatabaseProxy } from '../support/database-proxy.js';
import { headlines } from '../support/headlines.mjs';
import { until } from '../support/processes.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let api: ReadingListApi;
let network: DatabaseProxy;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  app = await aTestApp();
  api = await ReadingListApi.of(app);
  await api.send(headlines(5).map((item) => ({ action: 'add', ...item }))).expect(200);
  network = await aDatabaseProxy(app.url);
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await network.close();
  await app.close();
});
beforeEach(async () => {
  context = await browser.newContext({ baseURL: network.url, locale: 'de-DE' });
  page = await context.newPage();
  const [name = '', value = ''] = api.user.cookie.split('=', 2);
  await context.addCookies([{ name, value, url: network.url }]);
});
afterEach(async () => {
  await context.close();
  network.become('open');
});

const lang = (): Promise<string | null> => page.locator('html').getAttribute('lang');

/** Waits until the service worker of a language has stored the list and the offline pages. */
const everythingKept = (language: string): Promise<void> =>
  until(() =>
    page.evaluate<boolean>(
      `(async () => {
        const { active } = await navigator.serviceWorker.ready;
        const kept = await Promise.all(
          ['/list', '/list/offline.json', '/offline', '/offline/save', '/offline/tags'].map((path) =>
            caches.match(path)));
        return active?.scriptURL.endsWith('?language=${language}') && !kept.includes(undefined);
      })()`,
    ),
  );

describe('a German browser', () => {
  it('shows the texts of scripts in German', async () => {
    await page.goto('/list');
    expect(await lang()).toBe('de');

    await page
      .getByRole('button', { name: /^Archivieren/ })
      .first()
      .click();

    await page.getByText('Archiviert.', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Rückgängig' }).click();
    await page.getByText('Rückgängig gemacht.').waitFor();
  });

  it('shows German pages without a network', async () => {
    await page.goto('/list');
    await everythingKept('de');
    network.become('refusing');
    await context.setOffline(true);

    await page.goto('/list');
    await page.getByText('Offline. Dies ist die gespeicherte Kopie.').waitFor();
    expect(await page.locator('.items > li').count()).toBe(5);
    await page.goto('/account');

    expect(await page.title()).toBe('Kein Netzwerk · Satchel');
    await page.goto('/save');
    await page.getByText('Die Adresse einer Seite eingeben.').waitFor();
  });

  it('gets a service worker in the language that the user selects', async () => {
    // On a busy machine, Chromium may never activate a service worker that replaces one that is still starting.
    await page.goto('/list');
    await everythingKept('de');
    await page.goto('/account/profile');
    await page.getByLabel('Sprache von Satchel').selectOption({ label: 'English' });
    await page.locator('form[action="/account/language"] button').click();
    await page.getByText('Settings saved.').waitFor();
    expect(await lang()).toBe('en');

    await page.goto('/list');
    await everythingKept('en');
    network.become('refusing');
    await context.setOffline(true);
    await page.goto('/account');

    expect(await page.title()).toBe('No network · Satchel');
  });
});
