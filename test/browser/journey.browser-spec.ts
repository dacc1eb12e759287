import type { Locator, Page } from 'playwright-core';

import { overflowOf } from '../support/browser-layout.js';
import { ExampleSite } from '../support/example-site.js';
import { ExtensionBrowser } from '../support/extension-browser.js';
import { until } from '../support/processes.js';
import { selectWords } from '../support/reader-browser.js';
import { Installation, type ServiceProcess } from '../support/service-process.js';

const ADA = { name: 'Ada', email: 'ada@example.com', password: 'a long pass phrase' };
const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 640 };
const GARDEN = 'A garden on the roof of a bus station';
const PASSAGE = 'line 14 prefers its lettuce without slugs';
const FILM = 'A year on the roof, in three minutes';

let site: ExampleSite;
let installation: Installation;
let service: ServiceProcess;
let browser: ExtensionBrowser;
let page: Page;

beforeAll(async () => {
  site = await ExampleSite.served();
  installation = new Installation();
  service = await installation.started({
    RESOLVER_CONCURRENCY: '1',
    RESOLVER_ALLOW_ADDRESSES: '127.0.0.1',
    RESOLVER_ALLOW_PORTS: String(site.port),
  });
  browser = await ExtensionBrowser.launched(['http://127.0.0.1/*']);
  page = await browser.page(service.url);
  await page.setViewportSize(DESKTOP);
});
afterAll(async () => {
  await browser.close();
  await installation.close();
  await site.stop();
});

const exportOfPocket = (): string =>
  [
    'title,url,time_added,tags,status',
    `${GARDEN},${site.url}/roof-garden.html,1695851847,roof|to read,unread`,
    `What to sow when,${site.url}/sowing.txt,1695850000,,archive`,
  ].join('\n');

/** Retries, because a busy service may ask the person to try again. */
const shown = (locator: Locator, path = '/list'): Promise<void> =>
  until(async () => {
    try {
      await locator.waitFor({ timeout: 5000 });
      return true;
    } catch {
      await page.goto(`${service.url}${path}`);
      return false;
    }
  }, path);

async function go(label: string): Promise<void> {
  const link = page.getByRole('navigation', { name: 'Satchel' }).getByRole('link', { name: label });
  await shown(link);
  await link.click();
}

/** Opens the list through the navigation. Returns its titles. */
async function titles(): Promise<string[]> {
  await go('List');
  return page.locator('.items h2').allInnerTexts();
}

/** Reloads a page until the background work is done. Clicks a button for it if the page has one. */
const untilShown = (url: string, selector: string): Promise<void> =>
  until(async () => {
    await page.goto(url);
    const again = page.getByRole('button', { name: 'Try again' });
    if (await again.isVisible()) {
      await again.click();
    }
    return page.locator(selector).first().isVisible();
  }, selector);

describe('a person with only a browser', () => {
  it('opens the service and creates an account', async () => {
    await page.getByRole('heading', { name: 'Create the first account' }).waitFor();
    await page.getByLabel('Name').fill(ADA.name);
    await page.getByLabel('Email address').fill(ADA.email);
    await page.getByLabel('Password').fill(ADA.password);
    await page.getByRole('button', { name: 'Create account' }).click();

    await page.getByRole('heading', { name: 'Unread' }).waitFor();
    await page.getByRole('heading', { name: 'Your first steps' }).waitFor();
  });

  it('imports a library from Pocket', async () => {
    await go('Account');
    const file = {
      name: 'pocket.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(exportOfPocket()),
    };
    await shown(page.getByLabel('File'), '/account/data');
    await page.getByLabel('File').setInputFiles(file);
    await page.getByRole('button', { name: 'Import' }).click();
    await page.waitForURL(/\/account\/imports\/\d+$/);
    await shown(page.getByText('Done', { exact: true }), new URL(page.url()).pathname);

    expect(await titles()).toEqual([GARDEN]);
    await page.getByRole('link', { name: 'Archive', exact: true }).click();
    expect(await page.locator('.items h2').allInnerTexts()).toEqual(['What to sow when']);
  });

  it('reads an article on a phone and highlights text with a note', async () => {
    await page.setViewportSize(PHONE);
    await titles();
    await page.getByRole('link', { name: GARDEN }).click();
    await page.waitForURL(/\/read\//);
    await untilShown(page.url(), '#article-text');
    expect(await page.locator('#article-text').innerText()).toContain('a kind of newspaper');
    expect(await overflowOf(page)).toBe(0);

    await selectWords(page, PASSAGE);
    await page.getByRole('button', { name: 'Highlight with note' }).click();
    const panel = page.getByRole('dialog', { name: 'Highlight' });
    await panel.getByLabel('Note').fill('so do I');
    await panel.getByRole('button', { name: 'Save' }).click();

    await page.locator('mark.highlight').first().waitFor();
    expect((await page.locator('mark.highlight').allInnerTexts()).join('')).toBe(PASSAGE);
    expect(await page.locator('#highlights .note').innerText()).toBe('so do I');
  });

  it('archives an article and undoes it', async () => {
    expect(await titles()).toEqual([GARDEN]);
    await page.locator('.items').getByRole('button', { name: 'Archive' }).click();
    await page.locator('.items h2').waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Undo' }).click();

    await page.getByRole('heading', { name: GARDEN }).waitFor();
    await page.setViewportSize(DESKTOP);
  });

  it('saves a page of another site with the bookmarklet', async () => {
    await go('Save');
    const bookmark = page.getByRole('link', { name: 'Save to Satchel' });
    const href = (await bookmark.getAttribute('href')) ?? '';
    const elsewhere = await browser.page(`${site.url}/moon-viewing.html`);
    const opened = browser.context.waitForEvent('page');

    await elsewhere.evaluate(`document.body.append(
      Object.assign(document.createElement('a'), ${JSON.stringify({ id: 'bookmark', href, textContent: 'x' })}))`);
    await elsewhere.click('#bookmark');

    const popup = await opened;
    await popup.getByRole('heading', { name: 'Saved' }).waitFor();
    await popup.close();
    await elsewhere.close();
    expect(await titles()).toEqual(['月を待つ屋上', GARDEN]);
  });

  it('connects the extension and saves a page with it', async () => {
    const settings = await browser.settings();
    await settings.getByLabel('Address of your Satchel').fill(service.url);
    const opened = browser.context.waitForEvent('page');
    await settings.getByRole('button', { name: 'Connect', exact: true }).click();
    const tab = await opened;
    await tab.getByRole('button', { name: 'Connect a browser extension' }).click();
    await tab.getByRole('button', { name: 'Authorize' }).click();
    await tab
      .getByRole('heading', { name: 'The browser extension has received your answer' })
      .waitFor();
    await settings.getByText(`as ${ADA.email}.`).waitFor();
    const film = await browser.page(`${site.url}/film.html`);

    const popup = await browser.popup(film);

    expect(await popup.status()).toBe('Saved');
    await popup.close();
    await Promise.all([film, tab, settings].map((one) => one.close()));
    expect(await titles()).toEqual([FILM, '月を待つ屋上', GARDEN]);
  });

  it('creates a feed address and fetches the feed of the list', async () => {
    await go('Account');
    await page.getByRole('link', { name: 'Devices and apps' }).click();
    await page.getByRole('button', { name: 'Create feed address' }).click();
    const feed = await page.locator('a[href$="/unread.atom"]').getAttribute('href');

    const answer = await fetch(feed ?? '');

    expect(answer.headers.get('content-type')).toContain('application/atom+xml');
    const entries = (await answer.text()).match(/<entry[ >]/g);
    expect(entries).toHaveLength(3);
  });

  it('finds an article by a word that only its text contains', async () => {
    await untilShown(`${service.url}/list?search=politely`, '.items');

    expect(await page.locator('.items h2').allInnerTexts()).toEqual([GARDEN]);
  });
});
