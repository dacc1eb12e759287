import type { IncomingMessage } from 'node:http';

import type { Page, Worker } from 'playwright-core';

import { AccountApi, type SignedIn } from '../support/account-api.js';
import { violationsOf } from '../support/axe.js';
import { ExtensionBrowser, type Popup } from '../support/extension-browser.js';
import { until } from '../support/processes.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { BEHIND_THE_WALL, WalledSite } from '../support/walled-site.js';

let app: TestApp;
let site: WalledSite;
let browser: ExtensionBrowser;
let ada: SignedIn;
let api: ReadingListApi;
let settings: Page;

beforeAll(async () => {
  app = await aTestApp({ config: { resolverConcurrency: 1, resolveWaitMs: 60_000 } });
  site = await WalledSite.served();
  ada = await new AccountApi(app).signedIn();
  api = await ReadingListApi.of(app, { user: ada });
  browser = await ExtensionBrowser.launched(['http://127.0.0.1/*']);
  await (await browser.page(site.address('/log-in'))).close();
  settings = await browser.settings();
});
afterAll(async () => {
  await browser.close();
  await site.stop();
  await app.close();
});

const opened = () => browser.context.waitForEvent('page');

async function connect(): Promise<Page> {
  await settings.bringToFront();
  await settings.getByLabel('Address of your Satchel').fill(new URL(app.url).host);
  const [tab] = await Promise.all([
    opened(),
    settings.getByRole('button', { name: 'Connect', exact: true }).click(),
  ]);
  return tab;
}

/** Runs `violationsOf` in a popup. */
const violationsIn = (popup: Popup): Promise<string[]> =>
  violationsOf({ evaluate: (script: string) => popup.evaluate(script) });

const badgeOf = (worker: Worker): Promise<string> =>
  worker.evaluate(`chrome.tabs.query({ active: true, currentWindow: true })
    .then(([{ id: tabId }]) => chrome.action.getBadgeText({ tabId }))`);

const loadingTabs = (worker: Worker): Promise<number> =>
  worker.evaluate(`chrome.tabs.query({ status: 'loading' }).then((tabs) => tabs.length)`);

const keep = (worker: Worker, values: object): Promise<unknown> =>
  worker.evaluate(`chrome.storage.local.set(${JSON.stringify(values)})`);

describe('the browser extension', () => {
  it('connects after the user enters the address, logs in and authorizes it', async () => {
    const tab = await connect();
    await tab.getByLabel('Email address').fill(ada.email);
    await tab.getByLabel('Password').fill(ada.password);
    await tab.getByRole('button', { name: 'Log in' }).click();
    await tab.getByRole('button', { name: 'Connect a browser extension' }).click();
    await tab.getByRole('heading', { name: /Satchel browser extension/ }).waitFor();
    await tab.getByRole('button', { name: 'Authorize' }).click();
    await tab
      .getByRole('heading', { name: 'The browser extension has received your answer' })
      .waitFor();

    await settings.getByText(`Connected to ${app.url} as ${ada.email}.`).waitFor();
    await tab.close();
  });

  it('saves a page behind a login as shown in the browser, with one click', async () => {
    const page = await browser.page(site.address('/keeper'));

    const popup = await browser.popup(page);

    expect(await popup.status()).toBe('Saved');
    await until(() => popup.evaluate(`document.activeElement.id === 'tags'`), 'the focus');
    const [item] = await api.items({ detailType: 'complete' });
    expect(item).toMatchObject({ given_url: page.url(), resolved_title: 'The keeper' });
    const { body } = await api.post('/v3/text', { url: page.url() }).expect(200);
    expect(body.article).toContain(BEHIND_THE_WALL);
    expect(site.refused).toEqual([]);
    expect(await popup.evaluate(`document.getElementById('read').href`)).toBe(
      `${app.url}/read/${item!.item_id}`,
    );
    await popup.close();
    await page.close();
  });

  it('leaves out invisible content of a page that would be too long with it', async () => {
    const page = await browser.page(site.address('/padded'));

    const popup = await browser.popup(page);

    expect(await popup.status()).toBe('Saved');
    const { body } = await api.post('/v3/text', { url: page.url() }).expect(200);
    expect(body.article).toContain(BEHIND_THE_WALL);
    await popup.close();
    await page.close();
  });

  it('sends visited pages to the service only if the user enables it', async () => {
    const url = site.address('/visited', '127.0.0.1');
    await api.saved(url);
    const page = await browser.page(url);
    const calls: string[] = [];
    const note = ({ url: path = '' }: IncomingMessage) => void calls.push(path);
    app.app.getHttpServer().on('request', note);
    await page.reload();
    // The extension must have heard of the reload before the user enables it.
    await until(async () => (await loadingTabs(browser.worker)) === 0, 'the end of the reload');
    await keep(browser.worker, { showsSaved: true });
    await page.reload();

    await until(async () => (await badgeOf(browser.worker)) === '✓', 'the sign on the button');
    expect(calls).toEqual(['/v3/get']);
    await keep(browser.worker, { showsSaved: false });
    app.app.getHttpServer().off('request', note);
    await page.close();
  });

  it('shows when a page was saved, and keeps its date until it is saved again', async () => {
    const url = site.address('/old');
    const id = await api.saved(url, { time: 1_700_000_000, tags: 'sea' });
    const page = await browser.page(`${url}?utm_source=mail`);

    const popup = await browser.popup(page);

    expect(await popup.status()).toMatch(/^Already in your list since .*2023/);
    expect((await api.items({ item: id }))[0]).toMatchObject({ time_added: '1700000000' });
    expect(await popup.press('Save again')).toMatch(
      /^Already in your list since .*2023\. Moved to the top\.$/,
    );
    expect(Number((await api.items({ item: id }))[0]?.time_added)).toBeGreaterThan(1_700_000_000);
    await popup.close();
    await page.close();
  });

  it('adds suggested tags, favorites, archives, deletes, and undoes the deletion', async () => {
    const page = await browser.page(site.address('/tagged'));
    const popup = await browser.popup(page);
    expect(await popup.status()).toBe('Saved');
    await popup.evaluate(`document.getElementById('tags').value = 'light'`);

    const violations = await violationsIn(popup);
    if (process.env.SCREENSHOTS !== undefined) {
      await popup.screenshot(`${process.env.SCREENSHOTS}/extension.png`);
    }
    await popup.press('Add tag sea');
    const said = [
      await popup.press('Save tags'),
      await popup.press('Favorite'),
      await popup.press('Archive'),
    ];

    expect(violations).toEqual([]);
    expect(said).toEqual(['Tags saved', 'Added to favorites', 'Archived']);
    const found = () => api.items({ url: page.url(), detailType: 'complete' });
    const kept = { status: '1', favorite: '1', tags: { light: {}, sea: {} } };
    expect(await found()).toEqual([expect.objectContaining({ status: '1', favorite: '1' })]);
    expect(await popup.press('Delete')).toBe('Deleted');
    expect(await found()).toEqual([]);
    expect(await popup.press('Undo')).toBe('Restored');
    expect((await found())[0]).toMatchObject(kept);
    await popup.close();
    await page.close();
  });

  it('saves from the context menu and with a shortcut, and shows a badge on its button', async () => {
    const page = await browser.page(site.address('/with-links'));
    // Tests cannot open the context menu or press shortcuts, so they dispatch the events to the extension as the
    // browser does.
    const link = site.address('/behind-a-link');
    await page.bringToFront();
    const badges: string[] = [];
    for (const event of [
      `contextMenus.onClicked.dispatch({ menuItemId: 'save-link', linkUrl: '${link}' }, tab)`,
      `commands.onCommand.dispatch('save-page', { ...tab, url: '${link}-and-keys' })`,
    ]) {
      await browser.worker.evaluate(`chrome.tabs.query({ active: true, currentWindow: true })
        .then(([tab]) => chrome.${event})`);
      await until(async () => /[✓!]/.test(await badgeOf(browser.worker)), 'the sign on the button');
      badges.push(await badgeOf(browser.worker));
    }

    expect(badges).toEqual(['✓', '✓']);
    await until(async () => (await api.items({ url: `${link}-and-keys` })).length === 1);
    expect(await api.items({ url: link })).toHaveLength(1);
    await page.close();
  });

  it('reports revoked access and a disabled key, and connects again', async () => {
    const page = await browser.page(site.address('/keeper'));
    await app.database.query('DELETE FROM grants');
    const popup = await browser.popup(page);
    expect(await popup.status()).toBe(
      'The extension no longer has access to your Satchel. Connect again.',
    );
    await popup.close();

    const tab = await connect();
    await tab.getByRole('button', { name: 'Authorize' }).click();
    await tab
      .getByRole('heading', { name: 'The browser extension has received your answer' })
      .waitFor();
    await until(async () => (await app.database.query('SELECT 1 FROM grants')).length === 1);
    await settings.getByText(`Connected to ${app.url}`).waitFor();
    await tab.close();

    const again = await browser.popup(page);
    expect(await again.status()).toMatch(/^Already in your list since/);
    await again.close();
    await app.database.query('UPDATE consumer_keys SET disabled_at = now()');
    const refused = await browser.popup(page);
    expect(await refused.status()).toContain('was deleted or disabled. Connect again.');
    await refused.close();
    await page.close();
  });

  it.each(['light', 'dark'] as const)('has accessible settings in %s mode', async (scheme) => {
    await settings.emulateMedia({ colorScheme: scheme });

    expect(await violationsOf(settings)).toEqual([]);
  });

  it('shows an error if the service is unreachable', async () => {
    const page = await browser.page(site.address('/keeper'));
    const { connection } = await browser.worker.evaluate<{ connection: object }>(
      `chrome.storage.local.get('connection')`,
    );
    await keep(browser.worker, { connection: { ...connection, server: 'http://127.0.0.1:1' } });

    const popup = await browser.popup(page);

    expect(await popup.status()).toMatch(/^http:\/\/127\.0\.0\.1:1 does not answer\./);
    await popup.close();
    await page.close();
  });

  it('is not connected after the user clicks Disconnect', async () => {
    await settings.bringToFront();
    await settings.getByRole('button', { name: 'Disconnect' }).click();
    await settings.getByText('Not connected.').waitFor();

    const page = await browser.page(site.address('/keeper'));
    const popup = await browser.popup(page);
    expect(await popup.status()).toBe(
      'The extension is not connected to a Satchel. Connect it in the settings.',
    );
    await popup.close();
  });
});
