import type { Browser, BrowserContext, Page } from 'playwright-core';

import { AccountApi, aPerson, PASSWORD, type SignedIn } from '../support/account-api.js';
import { violationsOf } from '../support/axe.js';
import { launchChromium } from '../support/chromium.js';
import { aVisitor, OAuthApi } from '../support/oauth-api.js';
import { consentPath } from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

/** Nothing listens there, since no mail is sent. */
const NO_SERVER = {
  ...{ serverUrl: 'smtp://127.0.0.1:9', from: 'satchel@example.com', hasLoginNotices: false },
};

let app: TestApp;
let browser: Browser;
let reader: OAuthApi;
let ada: SignedIn;

beforeAll(async () => {
  app = await aTestApp({ config: { mail: { ...NO_SERVER, hasEReaderMail: true } } });
  reader = await OAuthApi.of(app, { name: 'Reader' });
  ada = await new AccountApi(app).signedIn();
  await reader.accessToken(await aVisitor(app, ada));
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

async function logIn(page: Page, { email, password }: Pick<SignedIn, 'email' | 'password'>) {
  await page.goto(`${app.url}/auth/login`);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

describe.each(['light', 'dark'] as const)('accessibility in the %s color scheme', (colorScheme) => {
  let context: BrowserContext;
  let page: Page;

  beforeEach(async () => {
    context = await browser.newContext({ colorScheme, bypassCSP: true });
    page = await context.newPage();
  });
  afterEach(() => context.close());

  it('login and registration pages have no violations, with and without errors', async () => {
    const found: string[] = [];
    await page.goto(`${app.url}/auth/login`);
    found.push(...(await violationsOf(page)));
    await logIn(page, { email: ada.email, password: 'wrong' });
    expect(await page.getByRole('alert').innerText()).toContain('is incorrect');
    found.push(...(await violationsOf(page)));
    await page.getByRole('link', { name: 'Create account' }).click();
    found.push(...(await violationsOf(page)));
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Email address').fill(ada.email);
    await page.getByLabel('Password').fill('short');
    await page.getByRole('button', { name: 'Create account' }).click();
    expect(await page.getByLabel('Password').getAttribute('aria-invalid')).toBe('true');
    found.push(...(await violationsOf(page)));

    expect(found).toEqual([]);
  });

  it('account and consent pages have no violations', async () => {
    const found: string[] = [];
    await logIn(page, ada);
    for (const path of [
      '/account',
      '/account/devices?done=revoked',
      consentPath(await reader.code()),
      '/auth/authorize',
    ]) {
      await page.goto(`${app.url}${path}`);
      found.push(...(await violationsOf(page)));
    }
    await page.goto(`${app.url}/account/security`);
    await page.getByLabel('Current password').fill('wrong');
    await page.getByLabel('New password').fill('another pass phrase');
    await page.getByRole('button', { name: 'Change password' }).click();
    expect(await page.getByRole('alert').innerText()).toContain('current password is incorrect');
    found.push(...(await violationsOf(page)));

    expect(found).toEqual([]);
  });

  it('the e-reader page has no violations, with and without errors', async () => {
    const found: string[] = [];
    await page.setViewportSize({ width: 360, height: 800 });
    await logIn(page, ada);
    await page.goto(`${app.url}/account/e-reader`);
    found.push(...(await violationsOf(page)));
    await page.getByLabel('Email address of your e-reader').fill('reader@kindle.example');
    await page.getByLabel('Maximum number of articles').fill('101');
    await page.getByRole('button', { name: 'Save' }).click();
    expect(await page.getByLabel('Maximum number of articles').getAttribute('aria-invalid')).toBe(
      'true',
    );
    found.push(...(await violationsOf(page)));
    await page.getByLabel('Maximum number of articles').fill('10');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Stop and delete' }).waitFor();
    found.push(...(await violationsOf(page)));

    expect(found).toEqual([]);
  });

  it.each([360, 1280])('personal key pages have no violations at %s pixels wide', async (width) => {
    const found: string[] = [];
    await page.setViewportSize({ width, height: 800 });
    await logIn(page, ada);
    await page.goto(`${app.url}/account/keys`);
    found.push(...(await violationsOf(page)));
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name').fill('Script');
    await page.getByRole('button', { name: 'Create key' }).click();
    expect(await page.getByRole('alert').innerText()).toContain('at least one');
    found.push(...(await violationsOf(page)));
    await page.getByLabel('See your list').check();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.waitForSelector('[data-access-token]');
    found.push(...(await violationsOf(page)));
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Revoke the personal key Script' }).first().waitFor();
    await page.getByRole('link', { name: 'Create application password' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Kobo');
    await page.getByRole('button', { name: 'Create application password' }).click();
    await page.getByRole('link', { name: 'Continue' }).waitFor();
    await page.goto(`${app.url}/account/keys/clients`);
    await page.getByLabel('Name').fill('Phone');
    await page.getByRole('button', { name: 'Create client' }).click();
    await page.getByRole('link', { name: 'Continue' }).click();
    const kinds = ['application password Kobo', 'wallabag client Phone'];
    for (const kind of kinds) {
      await page
        .getByRole('button', { name: `Revoke the ${kind}` })
        .first()
        .waitFor();
    }
    found.push(...(await violationsOf(page)));

    expect(found).toEqual([]);
  });

  it.each([360, 1280])('wallabag app pages have no violations at %s pixels wide', async (width) => {
    const found: string[] = [];
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${app.url}/wallabag/`);
    await page.getByLabel('Email address').fill(ada.email);
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Log in' }).click();
    expect(await page.getByRole('alert').innerText()).toContain('is incorrect');
    found.push(...(await violationsOf(page)));
    await page.getByLabel('Email address').fill(ada.email);
    await page.getByLabel('Password').fill(ada.password);
    await page.getByRole('button', { name: 'Log in' }).click();
    found.push(...(await violationsOf(page)));
    await page.getByRole('link', { name: 'Create client' }).click();
    found.push(...(await violationsOf(page)));
    await page.getByLabel('Name').fill('KOReader');
    await page.getByRole('button', { name: 'Create client' }).click();
    await page.getByText('Copy the client secret now.').waitFor();
    found.push(...(await violationsOf(page)));
    for (const path of ['/wallabag/developer', '/wallabag/developer/client/create']) {
      await page.goto(`${app.url}${path}`);
      found.push(...(await violationsOf(page)));
    }

    expect(found).toEqual([]);
  });
});

describe('a user with only a keyboard', () => {
  it('creates an account and authorizes an application', async () => {
    const code = await reader.code({ redirect_uri: 'not_needed' });
    const context = await browser.newContext();
    const page = await context.newPage();
    const person = aPerson();
    await page.goto(`${app.url}${consentPath(code)}&force=signup`);
    const focused = () =>
      page.evaluate(`document.activeElement.name || document.activeElement.innerText`);
    const order: unknown[] = [];

    // The service's name links to the first page.
    await page.keyboard.press('Tab');
    for (const text of [person.name, person.email, PASSWORD]) {
      await page.keyboard.press('Tab');
      order.push(await focused());
      await page.keyboard.type(text);
    }
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/auth\/authorize/);
    await page.keyboard.press('Tab');
    for (const expected of ['account page', 'decision', 'decision']) {
      await page.keyboard.press('Tab');
      order.push(await focused());
      expect(order.at(-1)).toBe(expected);
    }
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.waitForSelector('h1:has-text("Access given")');

    expect(order.slice(0, 3)).toEqual(['name', 'email', 'password']);
    await reader.authorize({ code }).expect(200);
    await context.close();
  });
});
