import type { Browser, BrowserContext, Page } from 'playwright-core';

import { AccountApi, type Person } from '../support/account-api.js';
import { TestIssuer } from '../support/an-issuer.js';
import { violationsOf } from '../support/axe.js';
import { overflowOf } from '../support/browser-layout.js';
import { launchChromium } from '../support/chromium.js';
import { SubPathProxy } from '../support/sub-path-proxy.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let proxy: SubPathProxy;
let issuer: TestIssuer;
let browser: Browser;
let ada: Person;

beforeAll(async () => {
  proxy = await SubPathProxy.listening('/satchel');
  app = await aTestApp({ config: { publicUrl: new URL(proxy.url) } });
  proxy.target = app.url;
  ada = await new AccountApi(app).verified();
  issuer = await TestIssuer.for(app, proxy.url);
  issuer.people.set('ada', { email: ada.email, email_verified: true });
  Object.assign(app.config, { registration: 'closed', passwordLogin: false });
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  issuer.stop();
  proxy.stop();
  await app.close();
});

async function enter(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { name: 'Home ID' }).waitFor();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Enter' }).click();
}

async function logIn(page: Page): Promise<void> {
  await page.goto(`${proxy.url}/account`);
  await page.getByRole('link', { name: 'Log in with Home ID' }).click();
  await enter(page, 'ada');
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Log out of this browser' }).click();
  await page.getByRole('heading', { name: 'You are logged out' }).waitFor();
}

describe('a user while password login is off', () => {
  let context: BrowserContext;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    context = await browser.newContext();
    page = await context.newPage();
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) {
        complaints.push(message.text());
      }
    });
  });
  afterAll(() => context.close());

  it('logs in through the issuer, returns to the requested page, and logs out of both', async () => {
    await logIn(page);
    expect(await page.getByText(ada.email).first().isVisible()).toBe(true);

    await logOut(page);
    await page.getByRole('link', { name: 'Log in again' }).click();
    await page.getByRole('link', { name: 'Log in with Home ID' }).click();
    // The person is still logged in at the issuer.
    await page.getByRole('heading', { name: 'Unread' }).waitFor();

    await page.goto(`${proxy.url}/account`);
    await logOut(page);
    await page.getByRole('link', { name: 'Log out of Home ID too' }).click();
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    expect(page.url().startsWith(`${proxy.url}/auth/login`)).toBe(true);
    await page.getByRole('link', { name: 'Log in with Home ID' }).click();
    await page.getByRole('heading', { name: 'Home ID' }).waitFor();
  });

  it('submits a form again after the session ended and a login in another tab', async () => {
    await logIn(page);
    await page.goto(`${proxy.url}/save`);
    await context.clearCookies({ name: 'session' });
    await page.getByRole('textbox', { name: 'Address' }).fill('https://example.com/kept');
    await page.getByRole('button', { name: 'Save' }).click();
    const opened = context.waitForEvent('page');
    await page.getByRole('link', { name: 'Log in with Home ID in a new tab' }).click();
    await (await opened).getByRole('heading', { name: 'Unread' }).waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Send it again' }).click();

    await page.getByRole('heading', { name: 'Saved' }).waitFor();
  });

  it('cannot log in without an account while registration is closed', async () => {
    issuer.people.set('eve', { email: 'eve@example.com', email_verified: true });
    const other = await browser.newContext();
    const elsewhere = await other.newPage();
    await elsewhere.goto(`${proxy.url}/auth/login`);
    await elsewhere.getByRole('link', { name: 'Log in with Home ID' }).click();
    await enter(elsewhere, 'eve');

    expect(await elsewhere.getByRole('alert').innerText()).toContain('Registration is closed');
    await other.close();
  });

  it('causes no violations of the Content Security Policy', () => {
    expect(complaints).toEqual([]);
  });
});

describe.each([
  ['light', 360],
  ['light', 1280],
  ['dark', 360],
  ['dark', 1280],
] as const)('pages of the issuer login, %s, %d pixels wide', (colorScheme, width) => {
  it('have no accessibility violations and fit the window', async () => {
    const context = await browser.newContext({
      ...{ colorScheme, bypassCSP: true },
      viewport: { width, height: 800 },
    });
    const page = await context.newPage();
    const found: string[] = [];
    const look = async (heading: string): Promise<void> => {
      await page.getByRole('heading', { name: heading, exact: true }).first().waitFor();
      found.push(...(await violationsOf(page)));
      expect([heading, (await overflowOf(page)) <= 0]).toEqual([heading, true]);
    };
    Object.assign(app.config, { registration: 'open' });
    for (const passwordLogin of [true, false]) {
      Object.assign(app.config, { passwordLogin });
      await page.goto(`${proxy.url}/auth/register`);
      await look('Create an account');
      await page.goto(`${proxy.url}/auth/oidc/callback?code=x`);
      await look('Log in');
    }
    Object.assign(app.config, { registration: 'closed' });
    await page.goto(`${proxy.url}/auth/login?next=/save?url=${'x'.repeat(2000)}`);
    await look('Log in');
    await logIn(page);
    await look('Your account');
    await logOut(page);
    await look('You are logged out');
    await context.close();

    expect(found).toEqual([]);
  });
});
