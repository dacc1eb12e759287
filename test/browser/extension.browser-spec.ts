import type { Page } from 'playwright-core';

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

/** As `violationsOf`, of what a click on the button opens. */
const violationsIn = (popup: Popup): Promise<string[]> =>
  violationsOf({ evaluate: (script: string) => popup.evaluate(script) } as Page);

describe('the browser extension', () => {
  it('is connected by its address, a login and a yes', async () => {
    const tab = await connect();
    await tab.getByLabel('Email address').fill(ada.email);
    await tab.getByLabel('Password').fill(ada.password);
    await tab.getByRole('button', { name: 'Log in' }).click();
    await tab.getByRole('button', { name: 'Connect a browser extension' }).click();
    await tab.getByRole('heading', { name: /Satchel browser extension/ }).waitFor();
    await tab.getByRole('button', { name: 'Authorize' }).click();
    await tab.getByRole('heading', { name: 'The answer is given' }).waitFor();

    await settings.getByText(`Connected to ${app.url} as ${ada.email}.`).waitFor();
    await tab.close();
  });

  it('saves a page behind a login as the person sees it, in one click', async () => {
    const page = await browser.page(site.address('/keeper'));

    const popup = await browser.popup(page);

    expect(await popup.status()).toBe('Saved');
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

  it('says since when a page is saved, and leaves it where it is', async () => {
    const url = site.address('/old');
    const id = await api.saved(url, { time: 1_700_000_000, tags: 'sea' });
    const page = await browser.page(`${url}?utm_source=mail`);

    const popup = await browser.popup(page);

    expect(await popup.status()).toMatch(/^Saved since .*2023/);
    expect((await api.items({ item: id }))[0]).toMatchObject({ time_added: '1700000000' });
    expect(await popup.press('Save again')).toBe('Saved again, at the top of your list');
    expect(Number((await api.items({ item: id }))[0]?.time_added)).toBeGreaterThan(1_700_000_000);
    await popup.close();
    await page.close();
  });

  it('tags with suggestions, marks, archives, deletes, and undoes that', async () => {
    const page = await browser.page(site.address('/tagged'));
    const popup = await browser.popup(page);
    expect(await popup.status()).toBe('Saved');
    await popup.evaluate(`document.getElementById('tags').value = 'light'`);

    const violations = await violationsIn(popup);
    await popup.press('Add the tag sea');
    const said = [
      await popup.press('Save tags'),
      await popup.press('Favorite'),
      await popup.press('Archive'),
    ];

    expect(violations).toEqual([]);
    expect(said).toEqual(['Tags saved', 'A favorite', 'Archived']);
    const found = () => api.items({ url: page.url(), detailType: 'complete' });
    const kept = { status: '1', favorite: '1', tags: { light: {}, sea: {} } };
    expect(await found()).toEqual([expect.objectContaining({ status: '1', favorite: '1' })]);
    expect(await popup.press('Delete')).toBe('Deleted');
    expect(await found()).toEqual([]);
    expect(await popup.press('Undo')).toBe('Saved again, as it was');
    expect((await found())[0]).toMatchObject(kept);
    await popup.close();
    await page.close();
  });

  it('saves a link from its menu, and a page by its shortcut, and shows so on the button', async () => {
    const page = await browser.page(site.address('/with-links'));
    // No test can open the menu or press the keys: the events are told to the extension as the browser does.
    const link = site.address('/behind-a-link');
    await page.bringToFront();
    const badge = await browser.worker.evaluate(async (linkUrl) => {
      const api = (globalThis as never as { chrome: Record<string, never> }).chrome as never as {
        tabs: { query(filter: object): Promise<{ id: number }[]> };
        action: { getBadgeText(of: { tabId: number }): Promise<string> };
        contextMenus: { onClicked: { dispatch(...values: unknown[]): void } };
        commands: { onCommand: { dispatch(...values: unknown[]): void } };
      };
      const [tab] = await api.tabs.query({ active: true, currentWindow: true });
      const signs: string[] = [];
      const settled = async () => {
        let sign = '…';
        while (sign === '…' || sign === '') {
          await new Promise((done) => setTimeout(done, 50));
          sign = await api.action.getBadgeText({ tabId: tab!.id });
        }
        signs.push(sign);
      };
      api.contextMenus.onClicked.dispatch({ menuItemId: 'save-link', linkUrl }, tab);
      await settled();
      api.commands.onCommand.dispatch('save-page', { ...tab, url: `${linkUrl}-and-keys` });
      await settled();
      return signs;
    }, link);

    expect(badge).toEqual(['✓', '✓']);
    await until(async () => (await api.items({ url: `${link}-and-keys` })).length === 1);
    expect(await api.items({ url: link })).toHaveLength(1);
    await page.close();
  });

  it('says in plain words that it is not let in any more, and is connected again', async () => {
    const page = await browser.page(site.address('/keeper'));
    await app.database.query('DELETE FROM grants');
    const popup = await browser.popup(page);
    expect(await popup.status()).toBe('The access of this extension was revoked. Connect again.');
    await popup.close();

    const tab = await connect();
    await tab.getByRole('button', { name: 'Authorize' }).click();
    await tab.getByRole('heading', { name: 'The answer is given' }).waitFor();
    await until(async () => (await app.database.query('SELECT 1 FROM grants')).length === 1);
    await settings.getByText(`Connected to ${app.url}`).waitFor();
    await tab.close();

    const again = await browser.popup(page);
    expect(await again.status()).toMatch(/^Saved since/);
    await again.close();
    await app.database.query('UPDATE consumer_keys SET disabled_at = now()');
    const refused = await browser.popup(page);
    expect(await refused.status()).toContain('is switched off. Connect again.');
    await refused.close();
    await page.close();
  });

  it.each(['light', 'dark'] as const)('has settings without a violation, %s', async (scheme) => {
    await settings.emulateMedia({ colorScheme: scheme });

    expect(await violationsOf(settings)).toEqual([]);
  });

  it('forgets its access', async () => {
    await settings.bringToFront();
    await settings.getByRole('button', { name: 'Disconnect' }).click();
    await settings.getByText('Not connected.').waitFor();

    const page = await browser.page(site.address('/keeper'));
    const popup = await browser.popup(page);
    expect(await popup.status()).toBe('This extension is not connected to a Satchel yet.');
    await popup.close();
  });
});
