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

/** How often the test looks before it opens the list again. */
const LOOKS_PER_VISIT = 60;

/** Describes what the service worker of a language has not stored yet. Returns an empty text if nothing is missing. */
const missing = (language: string): Promise<string> =>
  page.evaluate<string>(`(async () => {
    const { active, waiting, installing } = await navigator.serviceWorker.ready;
    const paths = ['/list', '/list/offline.json', '/offline', '/offline/save', '/offline/tags'];
    const kept = await Promise.all(paths.map((path) => caches.match(path)));
    const lost = paths.filter((_, place) => kept[place] === undefined);
    const workers = [active, waiting, installing].map((worker) => [worker?.scriptURL, worker?.state]);
    return active?.scriptURL.endsWith('?language=${language}') && lost.length === 0
      ? ''
      : JSON.stringify({ workers, lost });
  })()`);

/**
 * Waits until the service worker of a language has stored the list and the offline pages. Opens the list again from
 * time to time, as a user does: a busy Chromium may activate the worker only then.
 */
async function everythingKept(language: string): Promise<void> {
  let looks = 0;
  let state = '';
  await until(async () => {
    looks += 1;
    if (looks % LOOKS_PER_VISIT === 0) {
      await page.goto('/list');
    }
    state = await missing(language);
    return state === '';
  }).catch((cause: unknown) => {
    throw new Error(`The service worker has not kept everything: ${state}`, { cause });
  });
}

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
