import type { Page } from 'playwright-core';

import { AccountApi } from '../support/account-api.js';
import { ExtensionBrowser } from '../support/extension-browser.js';
import { PictureSite } from '../support/picture-site.js';
import { until } from '../support/processes.js';
import { queueChange, queuedChanges } from '../support/reader-browser.js';
import { SubPathProxy } from '../support/sub-path-proxy.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const ADA = { name: 'Ada', email: 'ada@example.com', password: 'a long pass phrase' };
const PREFIX = '/satchel';
/** The name of the database in which the service worker queues changes. */
const QUEUE = `satchel${PREFIX}`;

let site: PictureSite;
let proxy: SubPathProxy;
let app: TestApp;
let browser: ExtensionBrowser;
let page: Page;
/** Requests to the host outside of the service's path. */
let strays: string[];

beforeAll(async () => {
  site = await PictureSite.served();
  proxy = await SubPathProxy.listening(PREFIX);
  app = await aTestApp({
    config: {
      publicUrl: new URL(proxy.url),
      ...{ resolverConcurrency: 1, resolveWaitMs: 60_000 },
      resolverAllows: { addresses: ['127.0.0.1'], ports: [site.port] },
    },
  });
  proxy.target = app.url;
  browser = await ExtensionBrowser.launched(['http://127.0.0.1/*']);
  page = await browser.page(proxy.url);
  strays = [];
  browser.context.on('request', (request) => {
    const { origin, pathname } = new URL(request.url());
    if (origin === proxy.origin && pathname !== PREFIX && !pathname.startsWith(`${PREFIX}/`)) {
      strays.push(request.url());
    }
  });
});
afterAll(async () => {
  await browser.close();
  proxy.stop();
  await app.close();
  await site.stop();
});
afterEach(() => {
  expect(strays).toEqual([]);
});

const article = (name: string): string => site.article(name, '/photo.jpg');

const isKept = (path: string): Promise<boolean> =>
  page.evaluate<boolean>(
    `caches.match(${JSON.stringify(PREFIX + path)}).then((found) => found !== undefined)`,
  );

async function logOut(): Promise<void> {
  await page.goto(`${proxy.url}/account`);
  await page.getByRole('button', { name: 'Log out of this browser' }).click();
  await page.waitForURL(`${proxy.url}/auth/login`);
}

/** Fills in the open login page. */
async function logIn({ email, password } = ADA): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

describe('a service with a path in PUBLIC_URL', () => {
  it('creates an account and limits the cookie to the path', async () => {
    await page.getByLabel('Name').fill(ADA.name);
    await page.getByLabel('Email address').fill(ADA.email);
    await page.getByLabel('Password').fill(ADA.password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.waitForURL(`${proxy.url}/list`);

    const cookies = await browser.context.cookies(proxy.url);
    expect(cookies.map(({ name, path }) => [name, path])).toEqual([['session', PREFIX]]);
    expect(await browser.context.cookies(`${proxy.origin}/other`)).toEqual([]);
  });

  it('saves a page with the bookmarklet and shows its image', async () => {
    await page.getByRole('link', { name: 'Save', exact: true }).click();
    const href = await page.getByRole('link', { name: 'Save to Satchel' }).getAttribute('href');
    const elsewhere = await browser.page(article('first'));
    const opened = browser.context.waitForEvent('page');
    await elsewhere.evaluate(`document.body.append(
      Object.assign(document.createElement('a'), ${JSON.stringify({ id: 'bookmark', href, textContent: 'x' })}))`);
    await elsewhere.click('#bookmark');
    const popup = await opened;
    await popup.getByRole('link', { name: 'Read now' }).click();
    await popup.locator('#article-text img').waitFor();

    const width = `document.querySelector('#article-text img').naturalWidth > 0`;
    await until(() => popup.evaluate<boolean>(width), 'the picture');
    expect(new URL(popup.url()).pathname).toMatch(/^\/satchel\/read\/\d+$/);
    await popup.close();
    await elsewhere.close();
  });

  it('archives an item with the script of the page and undoes it', async () => {
    await page.goto(`${proxy.url}/list`);
    await page.locator('.items').getByRole('button', { name: 'Archive' }).click();
    await page.locator('.items h2').waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Undo' }).click();

    await page.locator('.items h2').waitFor();
  });

  it('can be installed as a web app whose scope is the path', async () => {
    const session = await browser.context.newCDPSession(page);
    const { errors, data = '' } = await session.send('Page.getAppManifest');

    expect(errors).toEqual([]);
    expect(JSON.parse(data)).toMatchObject({
      ...{ start_url: '/satchel/list', scope: '/satchel/' },
      share_target: { action: '/satchel/save' },
    });
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual([]);
  });

  it('works offline and keeps the caches of other services on the host', async () => {
    // After a login, pages are cached at once. Otherwise, they are cached once a minute.
    await logOut();
    await logIn();
    await page.waitForURL(`${proxy.url}/list`);
    await page.evaluate(`caches.open('of-another-service')`);
    const href = await page.locator('.items h2 a').first().getAttribute('href');
    const path = (href ?? '').slice(PREFIX.length);
    await until(async () => (await isKept(path)) && isKept('/list'), 'the pages');
    await browser.context.setOffline(true);

    await page.goto(`${proxy.url}/list`);
    await page.locator('.items').getByRole('button', { name: 'Archive' }).click();
    await page.getByText('1 change is queued until you are online.').waitFor();
    await page.goto(`${proxy.url}/account`);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('You are offline');
    await page.locator('#kept a').click();
    await page.waitForURL(`${proxy.url}${path}`);
    await browser.context.setOffline(false);
    await page.goto(`${proxy.url}/account`);
    await until(async () => {
      await page.goto(`${proxy.url}/list?state=archive`);
      return (await page.locator('.items h2').count()) === 1;
    }, 'the change');

    await logOut();
    await until(async () => !(await isKept('/list')), 'the pages to go');
    expect(await page.evaluate(`caches.has('of-another-service')`)).toBe(true);
  });

  it('redirects to the requested page after a login', async () => {
    await page.goto(`${proxy.url}/list?state=archive`);
    await logIn();

    await page.waitForURL(`${proxy.url}/list?state=archive`);
  });

  it('connects the extension with the address of one of its pages', async () => {
    const settings = await browser.settings();
    await settings.getByLabel('Address of your Satchel').fill(`${proxy.url}/list?state=archive`);
    const opened = browser.context.waitForEvent('page');
    await settings.getByRole('button', { name: 'Connect', exact: true }).click();
    const tab = await opened;
    await tab.getByRole('button', { name: 'Connect a browser extension' }).click();
    await tab.getByRole('button', { name: 'Authorize' }).click();
    await tab
      .getByRole('heading', { name: 'The browser extension has received your answer' })
      .waitFor();

    await settings.getByText(`Connected to ${proxy.url} as ${ADA.email}.`).waitFor();
    await Promise.all([tab, settings].map((one) => one.close()));
  });

  it('serves API docs that send requests to its path', async () => {
    proxy.takesOff = true;
    await page.goto(`${proxy.url}/docs`);
    await page
      .locator('#operations-Service-ready summary, #operations-Service-ready')
      .first()
      .click();
    await page.getByRole('button', { name: 'Try it out' }).click();
    await page.getByRole('button', { name: 'Execute' }).click();

    await page.locator('.request-url pre').waitFor();
    expect(await page.locator('.request-url pre').innerText()).toBe(`${proxy.url}/ready`);
  });

  it('deletes an account, its stored pages and the queued changes', async () => {
    proxy.takesOff = false;
    const bob = await new AccountApi(app).signedIn();
    await page.goto(`${proxy.url}/list`);
    await logOut();
    await logIn(bob);
    await page.waitForURL(`${proxy.url}/list`);
    await until(() => isKept('/list'), 'the pages');
    await queueChange(page, QUEUE);

    await page.goto(`${proxy.url}/account/delete`);
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Delete account' }).click();
    await page.getByRole('alert').waitFor();
    expect(await queuedChanges(page, QUEUE)).toBe(1);
    await page.getByLabel('Password').fill(bob.password);
    await page.getByRole('button', { name: 'Delete account' }).click();

    await page.getByRole('heading', { name: 'Your account is deleted' }).waitFor();
    await until(async () => !(await isKept('/list')), 'the pages to go');
    expect(await queuedChanges(page, QUEUE)).toBe(0);
  });
});
