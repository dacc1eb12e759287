import type { Browser, BrowserContext, Page } from 'playwright-core';

import { AccountApi, type SignedIn } from '../support/account-api.js';
import { Authenticator } from '../support/authenticator.js';
import { violationsOf } from '../support/axe.js';
import { overflowOf } from '../support/browser-layout.js';
import { launchChromium } from '../support/chromium.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let browser: Browser;

beforeAll(async () => {
  app = await aTestApp();
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

async function enterPassword(page: Page, { email, password }: SignedIn): Promise<void> {
  await page.goto(`${app.url}/auth/login`);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Code' }).fill(code);
  await page.getByRole('button', { name: 'Log in' }).click();
}

const leave = async (page: Page): Promise<void> => {
  await page.goto(`${app.url}/account`);
  await page.getByRole('button', { name: 'Log out of this browser' }).click();
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
};

async function change(page: Page, { password }: SignedIn, code: string, button: string) {
  await page.getByLabel('Password').fill(password);
  await page.getByRole('textbox', { name: 'Code' }).fill(code);
  await page.getByRole('button', { name: button }).click();
}

async function keyOf(page: Page): Promise<Authenticator> {
  return new Authenticator(await page.locator('#factor-key').innerText(), app.clock);
}

describe('a user in a browser without scripts', () => {
  let context: BrowserContext;
  let page: Page;
  let ada: SignedIn;
  const complaints: string[] = [];

  beforeAll(async () => {
    ada = await new AccountApi(app)
      .registered()
      .then((person) => new AccountApi(app).loggedIn(person));
    context = await browser.newContext({ javaScriptEnabled: false });
    page = await context.newPage();
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) {
        complaints.push(message.text());
      }
    });
  });
  afterAll(() => context.close());

  it('turns on the second factor, and logs in with a code and with a recovery code', async () => {
    await enterPassword(page, ada);
    await page.goto(`${app.url}/account/security`);
    await page.getByRole('link', { name: 'Turn on second factor' }).click();
    const app1 = await keyOf(page);
    const picture = await page.getByRole('img', { name: 'QR code of the key' }).boundingBox();
    expect(picture?.width).toBeGreaterThan(150);
    await change(page, ada, app1.wrongCode(), 'Turn on');
    expect(await page.getByRole('alert').innerText()).toContain('The code is incorrect');
    await change(page, ada, app1.code(), 'Turn on');
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    const codes = await page.locator('.codes code').allInnerTexts();
    expect(codes).toHaveLength(10);

    await leave(page);
    await enterPassword(page, ada);
    await page.getByRole('heading', { name: 'Enter the code' }).waitFor();
    await enterCode(page, app1.code());
    expect(await page.getByRole('alert').innerText()).toContain('was already used');
    await enterCode(page, app1.nextCode());
    await page.getByRole('heading', { name: 'Unread' }).waitFor();

    await leave(page);
    await enterPassword(page, ada);
    await enterCode(page, codes[0]!.toUpperCase());
    await page.getByRole('heading', { name: 'Unread' }).waitFor();

    await page.goto(`${app.url}/account/security`);
    expect(await page.getByText('Recovery codes left: 9.').isVisible()).toBe(true);
    await page.getByRole('link', { name: 'Change second factor' }).click();
    await change(page, ada, app1.nextCode(), 'Turn off');
    expect(await page.getByRole('status').innerText()).toBe('Second factor turned off.');
  });

  it('ends the session of another browser, then all other sessions', async () => {
    const phone = await browser.newContext();
    const elsewhere = await phone.newPage();
    await enterPassword(elsewhere, ada);
    await elsewhere.getByRole('heading', { name: 'Unread' }).waitFor();
    await page.goto(`${app.url}/account/security`);
    const sessions = page.locator('section[aria-labelledby="sessions"]');
    expect(await sessions.getByText('This browser').count()).toBe(1);
    expect(await sessions.getByText('Chrome on Linux').count()).toBe(2);

    await sessions.getByRole('button', { name: /^End the session of Chrome on Linux/ }).click();

    expect(await page.getByRole('status').innerText()).toBe('Session ended.');
    await elsewhere.goto(`${app.url}/account`);
    await elsewhere.getByRole('heading', { name: 'Log in' }).waitFor();
    await sessions.getByRole('button', { name: 'End all other sessions' }).click();
    expect(await page.getByRole('status').innerText()).toBe('All other sessions ended.');
    expect(await sessions.getByRole('listitem').count()).toBe(1);
    await phone.close();
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
] as const)('pages of the second factor, %s, %d pixels wide', (colorScheme, width) => {
  it('have no accessibility violations and fit the window', async () => {
    const ada = await new AccountApi(app).signedIn();
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
    await enterPassword(page, ada);
    await page.goto(`${app.url}/account/security`);
    await look('Sessions');
    await page.goto(`${app.url}/account/second-factor`);
    await look('Second factor');
    const authenticator = await keyOf(page);
    await change(page, { ...ada, password: 'wrong' }, authenticator.code(), 'Turn on');
    await look('Second factor');
    await change(page, ada, authenticator.code(), 'Turn on');
    await look('Your recovery codes');
    await page.goto(`${app.url}/account/second-factor`);
    await look('Second factor');
    await leave(page);
    await enterPassword(page, ada);
    await look('Enter the code');
    await enterCode(page, authenticator.wrongCode());
    await page.getByRole('alert').waitFor();
    await look('Enter the code');
    await context.close();

    expect(found).toEqual([]);
  });
});
