import type { Browser, BrowserContext, Page, Request, Route } from 'playwright-core';

import { AccountApi, type SignedIn } from '../support/account-api.js';
import { launchChromium } from '../support/chromium.js';
import { aDatabaseProxy, type DatabaseProxy } from '../support/database-proxy.js';
import { OAuthApi } from '../support/oauth-api.js';
import { logIn, savedOf } from '../support/reader-browser.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let api: OAuthApi;
let network: DatabaseProxy;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let ada: SignedIn;
/** Open requests of pages and of the service worker. */
const requests = new Set<Request>();
jest.retryTimes(1, { logErrorsBeforeRetry: true }); // A step hung for minutes once, and the reason is unknown.

beforeAll(async () => {
  app = await aTestApp();
  api = await OAuthApi.of(app);
  network = await aDatabaseProxy(app.url);
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await network.close();
  await app.close();
});
beforeEach(async () => {
  ada = await new AccountApi(app).signedIn();
  context = await browser.newContext({ baseURL: network.url });
  network.become('open');
  requests.clear();
  context.on('request', (request) => requests.add(request));
  context.on('requestfinished', (request) => requests.delete(request));
  context.on('requestfailed', (request) => requests.delete(request));
  page = await context.newPage();
});
afterEach(() => context.close());

const saved = (user: SignedIn, state?: string) => savedOf({ app, api }, user, state);

/** The proxy also refuses connections, because Chromium may leave an offline context's service worker connected. */
async function setOffline(isOffline: boolean): Promise<void> {
  network.become(isOffline ? 'refusing' : 'open');
  await context.setOffline(isOffline);
}

/** Waits until the browser has cached a page, or deleted it from the cache. */
const kept = (path: string, isKept = true): Promise<void> =>
  until(async () => isKept === (await isInCache(path)));

const isInCache = (path: string): Promise<boolean> =>
  page.evaluate<boolean>(`caches.match('${path}').then((found) => found !== undefined)`);

/** Saves an article and waits until the browser has cached it. Returns its id. */
async function withKeptArticle(): Promise<string> {
  await logIn(page, ada);
  await until(() => page.evaluate<boolean>('navigator.serviceWorker.controller !== null'));
  await page.goto('/save?url=https://a.example/');
  const [id = ''] = (await saved(ada)).keys();
  await page.goto('/account');
  await kept(`/read/${id}`);
  await kept('/list');
  return id;
}

describe('an offline browser', () => {
  it('shows stored articles, and an offline page with links to them for all other pages', async () => {
    const id = await withKeptArticle();
    await setOffline(true);

    await page.goto(`/read/${id}`);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('https://a.example/');
    await page.goto('/account');

    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('You are offline');
    await page.getByRole('link', { name: 'https://a.example/' }).click();
    await page.waitForURL(`**/read/${id}`);
  });

  it('queues an archive action and sends it when the network is back', async () => {
    const id = await withKeptArticle();
    await setOffline(true);
    await page.goto('/list');

    await page.locator('.items').getByRole('button', { name: 'Archive' }).click();
    await page.getByText('1 change is queued until you are online.').waitFor();
    await page.reload();
    await page.locator('.items .waiting').waitFor();
    expect((await saved(ada)).size).toBe(1);
    await setOffline(false);
    await page.goto('/account');

    await until(async () => (await saved(ada)).size === 0);
    expect([...(await saved(ada, 'archive')).keys()]).toEqual([id]);
  });

  it('neither sends nor counts the queued changes of another user', async () => {
    const id = await withKeptArticle();
    await page.goto('/save?url=https://b.example/');
    await page.goto('/list');
    await page.evaluate(
      `new Promise((resolve) => {
        indexedDB.open('satchel').onsuccess = ({ target: { result } }) => {
          const transaction = result.transaction('changes', 'readwrite');
          transaction.objectStore('changes').add({ user: '0', body: 'one=archive%3A${id}' });
          transaction.oncomplete = () => resolve(result.close());
        };
      })`,
    );
    await setOffline(true);
    const second = page.locator('.items li', { hasText: 'https://b.example/' });
    await second.getByRole('button', { name: 'Archive' }).click();
    await page.getByText('1 change is queued until you are online.').waitFor();
    await setOffline(false);
    await page.goto('/account');

    await until(async () => (await saved(ada, 'archive')).size > 0);
    expect([...(await saved(ada)).keys()]).toEqual([id]);
  });

  it('shows no pages of a user after a logout or a login of another user', async () => {
    const id = await withKeptArticle();
    await page.goto('/account');
    await page.getByRole('button', { name: 'Log out of this browser' }).click();
    await page.waitForURL(/login/);
    expect(await isInCache('/list')).toBe(false);
    await logIn(page, ada);
    await kept(`/read/${id}`);
    await context.clearCookies();
    const bob = await new AccountApi(app).signedIn();
    await setOffline(false);

    await logIn(page, bob);
    await page.goto('/account');
    await kept(`/read/${id}`, false);
    await kept('/list');
    await setOffline(true);
    await page.goto(`/read/${id}`);

    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('You are offline');
  });
});

describe('pages stored for offline reading', () => {
  it('are deleted when a request redirects to the login page', async () => {
    const id = await withKeptArticle();
    await context.clearCookies();

    await page.goto('/account');
    await page.waitForURL(/\/auth\/login/);

    await kept('/list', false);
    await kept(`/read/${id}`, false);
  });

  it('are deleted when an action is rejected because no user is logged in', async () => {
    const id = await withKeptArticle();
    await page.goto('/list');
    await context.clearCookies();

    await page.locator('.items').getByRole('button', { name: 'Archive' }).click();

    await kept('/list', false);
    await kept(`/read/${id}`, false);
  });

  it.each([
    ['a form', () => sendForm('/save', { url: 'https://b.example/' })],
    ['a form of an article', (id: string) => sendForm(`/read/${id}/highlights`, { quote: 'x' })],
    ['an address that is too long', () => page.goto(`/list?search=${'x'.repeat(4500)}`)],
    [
      'an address that saves and is too long',
      () => page.goto(`/save?url=https://b.example/${'x'.repeat(4500)}`),
    ],
  ])('are deleted when the response to %s is the login page', async (_, send) => {
    const id = await withKeptArticle();
    await context.clearCookies();

    await send(id);
    await page.getByRole('heading', { name: 'Log in' }).waitFor();

    await kept('/list', false);
    await kept(`/read/${id}`, false);
  });

  it('are deleted when the session ends while another page is being stored', async () => {
    const id = await withKeptArticle();
    const slow = await held(/\/read\/\d+$/);
    await page.goto('/save?url=https://b.example/');
    await slow.asked();
    await context.clearCookies();

    await page.goto('/account');
    await page.waitForURL(/\/auth\/login/);

    await kept(`/read/${id}`, false);
    await slow.release();
    await setOffline(true);
    await page.goto(`/read/${id}`);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('You are offline');
  });

  it('are hidden after another user logs in with the wallabag form', async () => {
    const id = await withKeptArticle();
    const bob = await new AccountApi(app).signedIn();
    await cutOffServiceWorker();
    await context.clearCookies();
    // Sent without a page, because opening a login page in the browser would delete the cache.
    const login = await (await context.request.get('/wallabag/login')).text();
    const [, token = ''] = /name="_csrf_token" value="([^"]*)"/.exec(login) ?? [];

    await sendForm('/wallabag/login_check', {
      ...{ _username: bob.email, _password: bob.password },
      _csrf_token: token,
    });
    await page.waitForURL(/\/wallabag\/$/);
    await setOffline(true);
    await page.goto(`/read/${id}`);

    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('You are offline');
    await page.waitForTimeout(500);
    expect(await page.getByText('https://a.example/').count()).toBe(0);
  });

  it('are hidden after the session cookie changes to that of another user', async () => {
    const id = await withKeptArticle();
    const bob = await new AccountApi(app).signedIn();
    const other = await browser.newContext({ baseURL: network.url });
    const login = await other.newPage();
    await logIn(login, bob);
    await context.clearCookies();
    await context.addCookies(await other.cookies());
    await other.close();

    await page.goto('/list');
    await setOffline(true);
    await page.goto(`/read/${id}`);

    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('You are offline');
  });
});

/**
 * Waits for the service worker's open requests and blocks new ones. Their answers would replace the cookie that belongs
 * to a login form.
 */
async function cutOffServiceWorker(): Promise<void> {
  await context.route('**/*', (route) =>
    route.request().serviceWorker() === null ? route.continue() : route.abort(),
  );
  await until(() => Promise.resolve(requests.size === 0));
}

/** Submits a form from the open page. */
async function sendForm(action: string, fields: Record<string, string>): Promise<void> {
  await page.evaluate(
    `{
      const form = Object.assign(document.createElement('form'), { method: 'post', action: '${action}' });
      for (const [name, value] of Object.entries(${JSON.stringify(fields)})) {
        form.append(Object.assign(document.createElement('input'), { name, value }));
      }
      document.body.append(form);
      form.submit();
    }`,
  );
}

/** Delays the answers of matching addresses. */
async function held(path: RegExp): Promise<{ asked(): Promise<void>; release(): Promise<void> }> {
  const routes: Route[] = [];
  let isReleased = false;
  await context.route(path, async (route) => {
    if (isReleased) {
      await route.continue();
    } else {
      routes.push(route);
    }
  });
  return {
    asked: () => until(() => Promise.resolve(routes.length > 0)),
    release: async () => {
      isReleased = true;
      await Promise.all(routes.map((route) => route.continue()));
    },
  };
}

async function until(check: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await check()); tries += 1) {
    if (tries > 1400) {
      throw new Error('The condition was not met in 140 seconds.');
    }
    await page.waitForTimeout(100);
  }
}
