import type { Browser, BrowserContext, Page } from 'playwright-core';

import { launchChromium } from '../support/chromium.js';
import { aDatabaseProxy, type DatabaseProxy } from '../support/database-proxy.js';
import { headlines } from '../support/headlines.mjs';
import { until } from '../support/processes.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { WireMeter } from '../support/wire-meter.js';

/** The goals of docs/decisions/0110. */
const FIRST_VISIT = { bytes: 15_000, requests: 6 };
const SECOND_NAVIGATION = { bytes: 8000, requests: 2 };

let app: TestApp;
let api: ReadingListApi;
let meter: WireMeter;
/** Between the browser and the service. It also cuts off the service worker, which Chromium may leave connected. */
let network: DatabaseProxy;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  app = await aTestApp();
  api = await ReadingListApi.of(app);
  await api.send(headlines(40).map((item) => ({ action: 'add', ...item }))).expect(200);
  meter = new WireMeter(app);
  network = await aDatabaseProxy(app.url);
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await network.close();
  await app.close();
});
afterEach(async () => {
  await context.close();
  network.become('open');
});

/** Opens a browser with an empty cache whose user is logged in. */
async function freshBrowser(serviceWorkers: 'allow' | 'block'): Promise<void> {
  context = await browser.newContext({ baseURL: network.url, serviceWorkers });
  page = await context.newPage();
  const [name = '', value = ''] = api.user.cookie.split('=', 2);
  await context.addCookies([{ name, value, url: network.url }]);
  meter.reset();
}

async function visit(path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'networkidle' });
  while (!meter.isQuiet) {
    await page.waitForTimeout(50);
  }
}

/** Waits until the service worker has stored the list and its articles, and requests nothing. */
async function everythingKept(): Promise<void> {
  await until(() => page.evaluate<boolean>('navigator.serviceWorker.controller !== null'));
  await until(() =>
    page.evaluate<boolean>(`caches.match('/list/offline.json').then((kept) => kept !== undefined)`),
  );
  await until(() => meter.isQuiet);
}

describe('a visit of the list', () => {
  it('needs few bytes and requests with an empty cache', async () => {
    await freshBrowser('block');

    await visit('/list');
    meter.print('first visit of the list');

    expect(await page.locator('.items > li').count()).toBe(40);
    expect(meter.bytes).toBeLessThan(FIRST_VISIT.bytes);
    expect(meter.exchanges.length).toBeLessThanOrEqual(FIRST_VISIT.requests);
  });

  it.each(['/list', '/account', '/save'])(
    'fetches no style sheets and scripts again for the next page: %s',
    async (path) => {
      await freshBrowser('block');
      await visit('/account');
      await visit('/save');
      await visit('/list');
      meter.reset();

      await visit(path);
      meter.print(`${path} after the list`);

      expect(meter.paths.filter((asked) => asked.startsWith('/pages/'))).toEqual([]);
      expect(meter.bytes).toBeLessThan(SECOND_NAVIGATION.bytes);
      expect(meter.exchanges.length).toBeLessThanOrEqual(SECOND_NAVIGATION.requests);
    },
  );

  it('fetches no style sheets and scripts again while the service worker is active', async () => {
    await freshBrowser('allow');
    await visit('/list');
    await everythingKept();
    await visit('/list');
    meter.reset();

    await visit('/list');
    meter.print('/list with the service worker');

    expect(meter.paths).toContain('/list');
    expect(meter.paths.filter((asked) => asked.startsWith('/pages/'))).toEqual([]);
    expect(await page.locator('.items > li').count()).toBe(40);
  });

  /** A busy browser may paint the page before it has received a whole row of small buttons. */
  const NOTICEABLE_SHIFT = 0.005;

  it.each([320, 390, 800, 1280])('does not move what the user sees at %i px', async (width) => {
    await freshBrowser('block');
    await page.setViewportSize({ width, height: 800 });
    await page.addInitScript(
      `globalThis.shifts = [];
      new PerformanceObserver((list) => {
        for (const { value, hadRecentInput, sources } of list.getEntries()) {
          if (!hadRecentInput && value >= ${NOTICEABLE_SHIFT}) {
            shifts.push([value, ...sources.map(({ node }) => node?.outerHTML?.slice(0, 80))]);
          }
        }
      }).observe({ type: 'layout-shift', buffered: true });`,
    );

    await visit('/list');

    expect(await page.evaluate('shifts')).toEqual([]);
  });
});

describe('an offline browser', () => {
  it('shows a page of an earlier version with the style sheet of the current version', async () => {
    await freshBrowser('allow');
    await visit('/list');
    await everythingKept();
    await page.evaluate(
      `(async () => {
        const [name] = (await caches.keys()).filter((key) => key.endsWith('pages-1'));
        const cache = await caches.open(name);
        const { headers, body } = await cache.match('/list');
        const html = await new Response(body).text();
        const old = html
          .replaceAll(/\\.[\\da-f]{10}\\.(css|js)/g, '.0123456789.$1')
          .replace(/<title>.*?</, '<title>An earlier version<');
        await cache.put('/list', new Response(old, { headers }));
      })()`,
    );
    network.become('refusing');
    await context.setOffline(true);

    await page.goto('/list');

    expect(await page.title()).toBe('An earlier version');
    const style = `getComputedStyle(document.querySelector('.items')).listStyleType`;
    expect(await page.evaluate(style)).toBe('none');
    await page.getByText('You are offline.').waitFor();
  });
});
