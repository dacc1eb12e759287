import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Browser, BrowserContext, Page } from 'playwright-core';

import { AccountApi, aPerson, type Person } from '../support/account-api.js';
import { overflowOf } from '../support/browser-layout.js';
import { launchChromium } from '../support/chromium.js';
import { formOf, OAuthApi } from '../support/oauth-api.js';
import { consentPath } from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const VIEWPORTS = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 360, height: 640 },
} as const;

let app: TestApp;
let browser: Browser;
let reader: OAuthApi;
let site: Server;
let redirectUri: string;

/** The application's site redirects the browser to a page on another host. */
beforeAll(async () => {
  app = await aTestApp();
  // Before the first account exists, the login page redirects to the registration page.
  await new AccountApi(app).registered();
  reader = await OAuthApi.of(app);
  site = createServer(({ url }, response) => {
    const { port } = site.address() as AddressInfo;
    if (url === '/back') {
      response.writeHead(302, { Location: `http://localhost:${port}/thanks` }).end();
      return;
    }
    response.setHeader('Content-Type', 'text/html').end('<title>Reader</title><h1>Thanks</h1>');
  }).listen(0);
  redirectUri = `http://127.0.0.1:${(site.address() as AddressInfo).port}/back`;
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  site.close();
  await app.close();
});

const codeFor = (uri = redirectUri): Promise<string> => reader.code({ redirect_uri: uri });

async function register(page: Page, { name, email, password }: Person): Promise<void> {
  await page.getByRole('link', { name: 'Create account' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Create account' }).click();
}

describe.each(Object.entries(VIEWPORTS))('in a browser the size of a %s', (_, viewport) => {
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];

  beforeEach(async () => {
    context = await browser.newContext({ viewport, javaScriptEnabled: false });
    page = await context.newPage();
    complaints = [];
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) {
        complaints.push(message.text());
      }
    });
  });
  afterEach(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });

  it('an application is authorized, fetches the list, and loses access when it is revoked', async () => {
    const code = await codeFor();
    await page.goto(`${app.url}${consentPath(code, redirectUri)}`);
    await register(page, aPerson());

    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.waitForURL(/\/thanks$/);

    expect(await page.title()).toBe('Reader');
    const { access_token = '' } = formOf(await reader.authorize({ code }).expect(200));
    expect((await reader.get(access_token).expect(200)).body).toMatchObject({ list: {} });
    await page.goto(`${app.url}/account/devices`);
    const card = page.getByRole('region', { name: 'Applications' }).getByRole('listitem');
    expect(await card.innerText()).toMatch(/^Reader\s[\s\S]*Last used\s+\d+ \w+ \d{4}/);
    await page.getByRole('button', { name: 'Revoke access for Reader' }).click();
    expect(await page.getByRole('status').innerText()).toBe('Access revoked.');
    await reader.get(access_token).expect(401);
  });

  it('an application gets error 158 when the user denies access', async () => {
    const code = await codeFor();
    await page.goto(`${app.url}${consentPath(code)}`);
    await register(page, aPerson());

    await page.getByRole('button', { name: 'Deny' }).click();
    await page.waitForURL(/\/thanks$/);

    expect((await reader.authorize({ code })).headers['x-error-code']).toBe('158');
  });

  it('a consent redirects to the custom URL scheme of an application', async () => {
    const code = await codeFor('pocketapp1234:authorizationFinished');
    await page.goto(`${app.url}${consentPath(code)}`);
    await register(page, aPerson());
    const answered = page.waitForResponse((response) => response.request().method() === 'POST');

    await page.getByRole('button', { name: 'Authorize' }).click();

    const answer = await answered;
    expect(await answer.headerValue('location')).toBe('pocketapp1234:authorizationFinished');
    await reader.authorize({ code }).expect(200);
  });

  it('a user creates, uses and revokes a personal key', async () => {
    await page.goto(`${app.url}/auth/login`);
    await register(page, aPerson());
    await page.goto(`${app.url}/account/devices`);
    await page.getByRole('link', { name: 'Manage personal keys' }).click();
    await page.getByLabel('Name').fill('Backup script');
    await page.getByRole('button', { name: 'Create key' }).click();
    expect(await page.getByRole('alert').innerText()).toContain('at least one');
    expect(await page.getByLabel('Name').inputValue()).toBe('Backup script');
    await page.getByLabel('See your list').check();
    await page.getByRole('button', { name: 'Create key' }).click();
    const part = (name: string): Promise<string> => page.locator(`[data-${name}]`).innerText();
    const key = new OAuthApi(app, await part('consumer-key'));
    const token = await part('access-token');
    const overflow = await overflowOf(page);

    await key.get(token).expect(200);
    await page.getByRole('link', { name: 'Continue' }).click();
    const card = page.getByRole('region', { name: 'Your keys' }).getByRole('listitem');
    expect(await card.innerText()).toMatch(/^Backup script\s[\s\S]*Last used\s+\d+ \w+ \d{4}/);
    await page.getByRole('button', { name: 'Revoke the personal key Backup script' }).click();

    expect(await page.getByRole('status').innerText()).toBe('Key revoked.');
    await key.get(token).expect(401);
    expect(overflow).toBeLessThanOrEqual(0);
  });

  it('consent and account pages are not wider than the window', async () => {
    const code = await reader.code({
      redirect_uri: `https://${'long'.repeat(15)}.example/${'x'.repeat(200)}`,
    });
    await page.goto(`${app.url}${consentPath(code)}`);
    const email = `${'a'.repeat(50)}${viewport.width}@example.com`;
    await register(page, aPerson({ email }));
    for (const path of [consentPath(code), '/account', '/account/profile', '/auth/authorize']) {
      await page.goto(`${app.url}${path}`);
      const box = await page.locator('main').boundingBox();
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      expect(box!.width).toBeLessThanOrEqual(viewport.width);
    }
  });
});
