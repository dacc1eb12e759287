import type { Page } from 'puppeteer-core';

import { aDatabaseProxy, type DatabaseProxy } from '../support/database-proxy.js';
import { ExampleSite } from '../support/example-site.js';
import { Firefox, type FirefoxExtension } from '../support/firefox.js';
import { until } from '../support/processes.js';
import { selectWords } from '../support/reader-browser.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const ADA = { name: 'Ada', email: 'ada@example.com', password: 'a long pass phrase' };
const GARDEN = 'A garden on the roof of a bus station';
const SENTENCE = 'a kind of newspaper';
const PASSAGE = 'line 14 prefers its lettuce without slugs';
const FILM = 'A year on the roof, in three minutes';

let site: ExampleSite;
let app: TestApp;
let network: DatabaseProxy;
let firefox: Firefox;
let page: Page;
/** Installed by the first test that needs it. */
let extension: FirefoxExtension;

beforeAll(async () => {
  site = await ExampleSite.served();
  app = await aTestApp({
    config: {
      ...{ registration: 'until-first-user', resolverConcurrency: 1 },
      resolverAllows: { addresses: ['127.0.0.1'], ports: [site.port] },
    },
  });
  network = await aDatabaseProxy(app.url);
  firefox = await Firefox.launched();
  page = await firefox.page();
});
afterAll(async () => {
  await firefox.close();
  await network.close();
  await app.close();
  await site.stop();
});

const named = (role: string, name: string): string => `::-p-aria([name="${name}"][role="${role}"])`;

const button = (name: string, on = page): Promise<void> =>
  on.locator(named('button', name)).click();

/** Finds the field by its label, because Firefox gives a password field no role. */
const fill = (label: string, value: string, on = page): Promise<void> =>
  on.locator(`::-p-xpath(//*[@id=//label[normalize-space()="${label}"]/@for])`).fill(value);

/** Waits for a heading. */
async function heading(name: string, on = page): Promise<void> {
  await on.locator(named('heading', name)).wait();
}

const go = (path: string): Promise<unknown> => page.goto(new URL(path, network.url).href);

const texts = (selector: string): Promise<string[]> =>
  page.evaluate(
    `[...document.querySelectorAll('${selector}')].map(({ textContent }) => textContent.trim())`,
  ) as Promise<string[]>;

/** Reloads the list until it has these titles, because the service fetches saved pages in the background. */
const listShows = (titles: readonly string[]): Promise<void> =>
  until(async () => {
    await go('/list');
    return JSON.stringify(await texts('.items h2')) === JSON.stringify(titles);
  }, titles.join());

/** Returns the text of a page that the browser keeps. */
const keptText = (path: string): Promise<string> =>
  page.evaluate(`caches.match('${path}').then((found) => found?.text() ?? '')`) as Promise<string>;

describe('a person with Firefox', () => {
  it('creates an account', async () => {
    await go('/');
    await heading('Create the first account');
    await fill('Name', ADA.name);
    await fill('Email address', ADA.email);
    await fill('Password', ADA.password);
    await button('Create account');

    await heading('Your first steps');
  });

  it('saves a page, finds it in the list and opens the article', async () => {
    await go('/save');
    await fill('Address', `${site.url}/roof-garden.html`);
    await button('Save');
    await heading('Saved');

    await listShows([GARDEN]);
    await page.locator(named('link', GARDEN)).click();

    await page.locator('#article-text').wait();
    expect((await texts('#article-text')).join()).toContain(SENTENCE);
  });

  it('highlights a selected passage', async () => {
    await selectWords(page, PASSAGE);
    await button('Highlight in yellow');

    await page.locator('mark.highlight').wait();
    expect((await texts('mark.highlight')).join('')).toBe(PASSAGE);
  });

  it('reads the article without a network', async () => {
    const { pathname } = new URL(page.url());
    // The browser may have kept the page before the service had fetched the article. A visit renews the kept page.
    await until(async () => {
      await go(pathname);
      return (await keptText(pathname)).includes(SENTENCE);
    }, 'the kept article');

    network.become('refusing');
    await go(pathname);
    expect((await texts('#article-text')).join()).toContain(SENTENCE);
    await go('/account');
    await heading('You are offline');
    network.become('open');
  });

  it('connects the extension and saves a page with it', async () => {
    extension = await firefox.extension();
    const { settings } = extension;
    await settings.bringToFront();
    await fill('Address of your Satchel', network.url, settings);
    const tab = await firefox.tabOpenedBy(() => button('Connect', settings));
    await button('Connect a browser extension', tab);
    await button('Authorize', tab);
    await heading('The browser extension has received your answer', tab);
    await settings.locator(`::-p-text(as ${ADA.email}.)`).wait();
    const film = await firefox.page();
    // The extension may access the host 127.0.0.1. On another host, only the shortcut gives access to the page.
    await film.goto(`http://localhost:${site.port}/film.html`);

    await extension.pressShortcut(film);

    expect(await extension.popupText()).toBe('Saved');
    await extension.closePopup();
    await page.bringToFront();
    await listShows([FILM, GARDEN]);
  });

  it('saves a snapshot with the extension, which the reader shows without scripts', async () => {
    const { settings } = extension;
    await settings.bringToFront();
    await settings.locator('#saves-snapshots').click();
    await until(
      () =>
        settings.evaluate(
          `chrome.storage.local.get('savesSnapshots').then((all) => all.savesSnapshots === true)`,
        ) as Promise<boolean>,
      'the setting',
    );
    const garden = await firefox.page();
    await garden.goto(`http://localhost:${site.port}/roof-garden.html`);

    await extension.pressShortcut(garden);

    expect(await extension.popupText()).toBe('Saved');
    const stored = await app.database.query('SELECT FROM snapshots');
    expect(stored).toHaveLength(1);

    await page.bringToFront();
    await go('/snapshots');
    await page.locator('main h2 a[href^="/snapshots/"]').click();
    await page.locator('iframe.snapshot').wait();
    const frame = page.frames().at(-1)!;
    const shown = () => frame.evaluate('document.body.innerText') as Promise<string>;
    await until(async () => (await shown()).includes(SENTENCE), 'the snapshot');
    expect(await frame.evaluate('document.scripts.length')).toBe(0);
  });
});
