import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Browser, BrowserContext, Page } from 'playwright-core';

import { AccountApi, type SignedIn } from '../support/account-api.js';
import { launchChromium } from '../support/chromium.js';
import { aVisitor, OAuthApi } from '../support/oauth-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let api: OAuthApi;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let ada: SignedIn;
let site: Server;
let siteUrl: string;

/** Some page of another site. */
beforeAll(async () => {
  app = await aTestApp();
  api = await OAuthApi.of(app);
  site = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html').end('<title>A & B</title><h1>Elsewhere</h1>');
  }).listen(0);
  siteUrl = `http://localhost:${(site.address() as AddressInfo).port}`;
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  site.close();
  await app.close();
});
beforeEach(async () => {
  ada = await new AccountApi(app).signedIn();
  context = await browser.newContext({ baseURL: app.url });
  page = await context.newPage();
});
afterEach(() => context.close());

async function logIn({ email, password }: SignedIn, where = page): Promise<void> {
  await where.goto('/auth/login');
  await where.getByLabel('Email address').fill(email);
  await where.getByLabel('Password').fill(password);
  await where.getByRole('button', { name: 'Log in' }).click();
  await where.waitForURL(/\/list/);
}

function refuseOtherThanClosed(error: unknown): void {
  if (!/has been closed/.test(String(error))) {
    throw error;
  }
}

/** What is saved, as the API tells it: addresses by ids. */
async function savedOf(user: SignedIn, state = 'unread'): Promise<Map<string, string>> {
  const token = await api.accessToken(await aVisitor(app, user));
  const { body } = await api.get(token, { state }).expect(200);
  const list = body.list as Record<string, { given_url: string }>;
  return new Map(Object.entries(list).map(([id, { given_url: url }]) => [id, url]));
}

/** Waits until the browser has kept a page, or has it no more. */
const kept = (path: string, isKept = true): Promise<void> =>
  until(async () => isKept === (await isInCache(path)));

const isInCache = (path: string): Promise<boolean> =>
  page.evaluate<boolean>(`caches.match('${path}').then((found) => found !== undefined)`);

describe('the bookmarklet', () => {
  it('saves the page of another site with one click', async () => {
    await logIn(ada);
    await page.goto('/save');
    const link = page.getByRole('link', { name: 'Save to Satchel' });
    const script = (await link.getAttribute('href')) ?? '';
    await page.goto(`${siteUrl}/article?x=1&y=%20`);
    const opened = context.waitForEvent('page');

    await page.evaluate(
      `document.body.append(Object.assign(document.createElement('a'), ${JSON.stringify({ id: 'bookmark', href: script, textContent: 'x' })}))`,
    );
    await page.click('#bookmark');

    const popup = await opened;
    await popup.getByRole('heading', { name: 'Saved' }).waitFor();
    expect(await popup.getByRole('status').innerText()).toContain('A & B');
    expect([...(await savedOf(ada)).values()]).toEqual([`${siteUrl}/article?x=1&y=%20`]);
    const closed = popup.waitForEvent('close');
    // The window can be closed before the click is reported as done.
    await popup.getByRole('button', { name: 'Close' }).click().catch(refuseOtherThanClosed);
    await closed;
  });

  it.each([
    ['of another site', () => siteUrl],
    ['in a page of this site, such as an article', () => '/list'],
  ])('is needed: a link %s asks first, also when it is loaded again', async (_, from) => {
    await logIn(ada);
    await page.goto(from());

    await page.evaluate(`location.href = '${app.url}/save?url=https://evil.example/'`);
    await page.getByRole('heading', { name: 'Save this page?' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Save this page?' }).waitFor();

    expect((await savedOf(ada)).size).toBe(0);
  });
});

describe('the application', () => {
  it('has a manifest that Chromium can install', async () => {
    await logIn(ada);
    await page.goto('/account');
    const session = await context.newCDPSession(page);

    const { errors, data = '' } = await session.send('Page.getAppManifest');

    expect(errors).toEqual([]);
    const manifest = JSON.parse(data) as { icons: { src: string }[] };
    expect(manifest).toMatchObject({ start_url: '/list', share_target: { action: '/save' } });
    for (const { src } of manifest.icons) {
      expect((await page.request.get(src)).status()).toBe(200);
    }
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual(['in-incognito']);
  });
});

/** The id of an item whose article is kept in the browser. */
async function withKeptArticle(): Promise<string> {
  await logIn(ada);
  await page.goto('/save?url=https://a.example/');
  const [id = ''] = (await savedOf(ada)).keys();
  await page.goto('/account');
  await kept(`/read/${id}`);
  await kept('/list');
  return id;
}

describe('without a network', () => {
  it('reads what was kept, and says what was not', async () => {
    const id = await withKeptArticle();
    await context.setOffline(true);

    await page.goto(`/read/${id}`);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('https://a.example/');
    await page.goto('/account');

    expect(await page.getByRole('heading').innerText()).toBe('You are offline');
    await page.getByRole('link', { name: 'https://a.example/' }).click();
    await page.waitForURL(`**/read/${id}`);
  });

  it('archives, which the service learns when the network is back', async () => {
    const id = await withKeptArticle();
    await context.setOffline(true);
    await page.goto('/list');

    await page.locator('.items').getByRole('button', { name: 'Archive' }).click();
    await page.getByText('1 change waits for the network.').waitFor();
    await page.reload();
    await page.locator('.items .waiting').waitFor();
    expect((await savedOf(ada)).size).toBe(1);
    await context.setOffline(false);
    await page.goto('/account');

    await until(async () => (await savedOf(ada)).size === 0);
    expect([...(await savedOf(ada, 'archive')).keys()]).toEqual([id]);
  });

  it('shows nothing of a user who has logged out, or whose browser another user has taken', async () => {
    const id = await withKeptArticle();
    await page.goto('/account');
    await page.getByRole('button', { name: 'Log out of this browser' }).click();
    await page.waitForURL(/login/);
    expect(await isInCache('/list')).toBe(false);
    await logIn(ada);
    await kept(`/read/${id}`);
    await context.clearCookies();
    const bob = await new AccountApi(app).signedIn();
    await context.setOffline(false);

    await logIn(bob);
    await page.goto('/account');
    await kept(`/read/${id}`, false);
    await kept('/list');
    await context.setOffline(true);
    await page.goto(`/read/${id}`);

    expect(await page.getByRole('heading').innerText()).toBe('You are offline');
  });
});

describe('pages that are kept for reading offline', () => {
  it('are deleted when a visit ends at the login page', async () => {
    const id = await withKeptArticle();
    await context.clearCookies();

    await page.goto('/account');
    await page.waitForURL(/\/auth\/login/);

    await kept('/list', false);
    await kept(`/read/${id}`, false);
  });

  it('are deleted when the service answers that nobody is logged in', async () => {
    const id = await withKeptArticle();
    await page.goto('/list');
    await context.clearCookies();

    await page.locator('.items').getByRole('button', { name: 'Archive' }).click();

    await kept('/list', false);
    await kept(`/read/${id}`, false);
  });

  it('are never shown to the next user, who logs in with the form of wallabag', async () => {
    const id = await withKeptArticle();
    const bob = await new AccountApi(app).signedIn();
    await page.goto('/account');
    await context.clearCookies();

    await page.goto('/wallabag/login');
    await page.fill('[name="_username"]', bob.email);
    await page.fill('[name="_password"]', bob.password);
    await page.getByRole('button').click();
    await page.waitForURL(/\/wallabag\/$/);
    await context.setOffline(true);
    await page.goto(`/read/${id}`);

    expect(await page.getByRole('heading').innerText()).toBe('You are offline');
  });

  it('are deleted when another user is logged in without any form', async () => {
    const id = await withKeptArticle();
    const bob = await new AccountApi(app).signedIn();
    const other = await browser.newContext({ baseURL: app.url });
    const login = await other.newPage();
    await logIn(bob, login);
    await context.clearCookies();
    await context.addCookies(await other.cookies());
    await other.close();

    await page.goto('/list');
    await context.setOffline(true);
    await page.goto(`/read/${id}`);

    expect(await page.getByRole('heading').innerText()).toBe('You are offline');
  });
});

async function until(check: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await check()); tries += 1) {
    if (tries > 1400) {
      throw new Error('The condition was not met in 140 seconds.');
    }
    await page.waitForTimeout(100);
  }
}
