import type { Browser, BrowserContext, Page } from 'playwright-core';

import { violationsOf } from '../support/axe.js';
import { overflowOf } from '../support/browser-layout.js';
import { launchChromium } from '../support/chromium.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const WIDTHS = [320, 390, 1280];
const PAGES = ['/list', '/welcome', '/account/extension', '/account/phone'];

let app: TestApp;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  app = await aTestApp({ config: { registration: 'until-first-user' } });
  browser = await launchChromium();
  context = await browser.newContext({ baseURL: app.url, bypassCSP: true });
  page = await context.newPage();
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

/** Returns the accessibility violations of a page in both color schemes, and its overflow at each width. */
async function problemsOf(path: string): Promise<unknown[]> {
  const found: unknown[] = [];
  await page.goto(path);
  await page.evaluate(
    `document.querySelectorAll('details').forEach((one) => { one.open = true; })`,
  );
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      found.push(...(await violationsOf(page)));
    }
    const overflow = await overflowOf(page);
    found.push(...(overflow === 0 ? [] : [`${path} is too wide at ${width} pixels`]));
  }
  return found;
}

describe('the first minutes with a fresh service', () => {
  it('begin with the first account, which becomes the administrator', async () => {
    await page.goto('/');
    await page.getByRole('heading', { name: 'Create the first account' }).waitFor();
    expect(await page.locator('.notice').innerText()).toContain('administrator of this service');
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Email address').fill('ada@example.com');
    await page.getByLabel('Password').fill('a long pass phrase');

    await page.getByRole('button', { name: 'Create account' }).click();

    await page.getByRole('heading', { name: 'Your first steps' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/list');
  });

  it.each(PAGES)('continue on %s, which is accessible and fits each screen', async (path) => {
    expect(await problemsOf(path)).toEqual([]);
  });

  it('teach the text settings on the sample article', async () => {
    await page.goto('/list');
    await page.getByRole('link', { name: 'A sample article' }).click();
    await page.getByRole('heading', { name: 'How to read in Satchel' }).waitFor();
    const size = () =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('.article-text')).fontSize`);
    const before = await size();

    await page.getByLabel('Text settings').click();
    await page.getByLabel('Largest').check();
    await page.locator('html[data-size="largest"]').waitFor();

    expect(parseFloat(await size())).toBeGreaterThan(parseFloat(before));
  });

  it('end with a saved page in the list, which then has no first steps', async () => {
    await page.goto('/list');
    await page.getByLabel('Address', { exact: true }).fill('https://example.com/first');
    await page.locator('.first-steps').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Saved' }).waitFor();

    await page
      .getByRole('navigation', { name: 'Satchel' })
      .getByRole('link', { name: 'List' })
      .click();

    await page.locator('.items h2').waitFor();
    expect(await page.locator('.items .facts').innerText()).toContain('example.com');
    expect(await page.locator('.first-steps').count()).toBe(0);
    expect(await page.getByRole('navigation', { name: 'Help' }).innerText()).toContain(
      'On your phone',
    );
  });

  it('are over when the first page is saved again', async () => {
    await page.goto('/save');
    await page.getByLabel('Address', { exact: true }).fill('https://example.com/first');
    await page.locator('main').getByRole('button', { name: 'Save' }).click();

    await page.getByText(/^Already in your list since .*\. Moved to the top\.$/).waitFor();
  });
});
