import type { Browser, BrowserContext, Page } from 'playwright-core';

import { AccountApi, type SignedIn } from '../support/account-api.js';
import { violationsOf } from '../support/axe.js';
import { overflowOf } from '../support/browser-layout.js';
import { launchChromium } from '../support/chromium.js';
import { aVisitor, OAuthApi } from '../support/oauth-api.js';
import { until } from '../support/processes.js';
import { logIn, queueChange, queuedChanges } from '../support/reader-browser.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const PATHS = [
  '/account',
  '/account/profile?done=name',
  '/account/security',
  '/account/devices',
  '/account/data',
  '/account/reading',
  '/account/delete',
];

/** A script that returns true if the browser has stored the list for offline reading. */
const IS_KEPT = `caches.match('/list').then((found) => found !== undefined)`;

let app: TestApp;
let browser: Browser;
let ada: SignedIn;

beforeAll(async () => {
  app = await aTestApp();
  ada = await new AccountApi(app).signedIn();
  const reader = await OAuthApi.of(app, { name: 'Reader' });
  await reader.accessToken(await aVisitor(app, ada));
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

describe.each(['light', 'dark'] as const)('account pages in the %s color scheme', (colorScheme) => {
  it('have no accessibility violations and fit windows of all widths', async () => {
    const context = await browser.newContext({
      ...{ baseURL: app.url, colorScheme, bypassCSP: true },
    });
    const page = await context.newPage();
    const found: string[] = [];
    await logIn(page, ada);
    for (const path of PATHS) {
      for (const width of [320, 390, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        await page.goto(path);
        found.push(...(await violationsOf(page)));
        found.push(...((await overflowOf(page)) > 0 ? [`${path} is wider than ${width}`] : []));
      }
    }
    await page.goto('/account/profile');
    await page.getByLabel('New email address').fill('not@an-address');
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Change email address' }).click();
    await page.getByRole('alert').waitFor();
    found.push(...(await violationsOf(page)));

    expect(found).toEqual([]);
    await context.close();
  });
});

describe('the profile page in a browser', () => {
  let context: BrowserContext;
  let page: Page;

  beforeEach(async () => {
    context = await browser.newContext({ baseURL: app.url, timezoneId: 'Asia/Tokyo' });
    page = await context.newPage();
    await logIn(page, ada);
  });
  afterEach(() => context.close());

  it('offers the time zone of the browser, and then shows times in it', async () => {
    await page.goto('/account');
    await page.getByRole('link', { name: 'Profile' }).click();
    await page.getByRole('button', { name: /^Use the time zone of this browser/ }).click();
    expect(await page.getByLabel('Time zone').inputValue()).toBe('Asia/Tokyo');
    await page.getByRole('region', { name: 'Dates and times' }).getByRole('button').click();

    expect(await page.getByRole('status').innerText()).toBe('Settings saved.');
    expect(await page.getByRole('button', { name: /^Use the time zone/ }).count()).toBe(0);
    await page.goto('/account/security');
    expect(await page.getByText('UTC').count()).toBe(0);
  });

  it('links an error to its field', async () => {
    await page.goto('/account/profile');
    await page.getByLabel('New email address').fill('next@example.com');
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Change email address' }).click();

    await page
      .getByRole('alert')
      .getByRole('link', { name: /password is incorrect/ })
      .click();

    await page.locator('#current:focus').waitFor();
    expect(await page.getByLabel('New email address').inputValue()).toBe('next@example.com');
  });

  it('deletes the account, and leaves nothing in the browser', async () => {
    const bob = await new AccountApi(app).signedIn();
    await context.clearCookies();
    await logIn(page, bob);
    await until(() => page.evaluate<boolean>(IS_KEPT), 'the stored list');
    await queueChange(page);
    await page.goto('/account/profile');
    await page.getByRole('link', { name: 'Delete account…' }).click();
    await page.getByLabel('Password').fill(bob.password);
    await page.getByRole('button', { name: 'Delete account' }).click();

    await page.getByRole('heading', { name: 'Your account is deleted' }).waitFor();
    expect(await page.evaluate<boolean>(IS_KEPT)).toBe(false);
    expect(await queuedChanges(page)).toBe(0);
    await page.goto('/list');
    await page.waitForURL(/\/auth\/login/);
    await new AccountApi(app).login(bob).expect(401);
  });
});
