import type { Browser, BrowserContext, Page } from 'playwright-core';

import { UserAdministrationService } from '../../src/auth/user-administration.service.js';
import { AccountApi, type SignedIn } from '../support/account-api.js';
import { Authenticator } from '../support/authenticator.js';
import { violationsOf } from '../support/axe.js';
import { overflowOf } from '../support/browser-layout.js';
import { launchChromium } from '../support/chromium.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const HEADING = 'Second factor required';

let app: TestApp;
let browser: Browser;
let site: string;
let ada: SignedIn;

beforeAll(async () => {
  app = await aTestApp({ config: { secondFactorRequiredFor: 'everyone' } });
  site = app.url.replace('127.0.0.1', 'localhost');
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await app.close();
});
beforeEach(async () => {
  ada = await new AccountApi(app).signedIn();
});

const heading = (page: Page, name: string) =>
  page.getByRole('heading', { name, exact: true }).first().waitFor();

async function logIn(page: Page, next = '/list'): Promise<void> {
  await page.goto(`${site}/auth/login?${new URLSearchParams({ next }).toString()}`);
  await page.getByLabel('Email address').fill(ada.email);
  await page.getByLabel('Password').fill(ada.password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await heading(page, HEADING);
}

async function leave(page: Page): Promise<void> {
  await page.goto(`${site}/account`);
  await page.getByRole('button', { name: 'Log out of this browser' }).click();
  await heading(page, 'Log in');
}

/** Gives the browser an authenticator that answers at once. */
async function giveAuthenticator(context: BrowserContext, page: Page): Promise<void> {
  await context.addInitScript(
    'PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false)',
  );
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal' },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
      automaticPresenceSimulation: true,
    },
  });
}

it('without scripts, sets up an authenticator app and goes on to the page that was wanted', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await logIn(page, '/account/data');
  await page.getByRole('link', { name: 'Set up authenticator app' }).click();
  const codes = new Authenticator(await page.locator('#factor-key').innerText(), app.clock);
  await page.getByLabel('Password').fill(ada.password);
  await page.getByRole('textbox', { name: 'Code' }).fill(codes.wrongCode());
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Password').fill(ada.password);
  await page.getByRole('textbox', { name: 'Code' }).fill(codes.code());
  await page.getByRole('button', { name: 'Turn on' }).click();

  await page.getByRole('link', { name: 'Continue' }).click();

  await page.waitForURL(`${site}/account/data`);
  await context.close();
});

it('adds a passkey, and later asks for it after the password', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await giveAuthenticator(context, page);
  await logIn(page, '/account/data');
  await page.getByRole('link', { name: 'Add passkey' }).click();
  await page.getByLabel('Name').fill('Test key');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.waitForURL(`${site}/account/data`);
  await leave(page);
  await logIn(page, '/account/reading');

  await page.getByRole('button', { name: 'Use a passkey' }).click();

  await page.waitForURL(`${site}/account/reading`);
  await context.close();
});

describe.each([
  ['light', 390],
  ['light', 1280],
  ['dark', 390],
  ['dark', 1280],
] as const)('pages of a required second factor, %s, %d pixels wide', (colorScheme, width) => {
  it('have no accessibility violations and fit the window', async () => {
    const context = await browser.newContext({
      ...{ colorScheme, bypassCSP: true },
      viewport: { width, height: 800 },
    });
    const page = await context.newPage();
    await giveAuthenticator(context, page);
    const found: string[] = [];
    const look = async (name: string): Promise<void> => {
      await heading(page, name);
      found.push(...(await violationsOf(page)));
      expect([name, (await overflowOf(page)) <= 0]).toEqual([name, true]);
    };
    await logIn(page);
    await look(HEADING);
    await page.goto(`${site}/account/second-factor?next=%2Flist`);
    await look('Second factor');
    await page.goto(`${site}/account/passkeys/new`);
    await look('New passkey');
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await look('Passkeys');
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('alert').waitFor();
    await look('Passkeys');
    await page.goto(`${site}/account/security`);
    await look('Password');
    await app.database.query('UPDATE sessions SET has_second_factor = false');
    await page.goto(`${site}/list`);
    await look(HEADING);
    await page.goto(`${site}${await app.app.get(UserAdministrationService).resetPath(ada.email)}`);
    await look('Choose a new password');
    await context.close();

    expect(found).toEqual([]);
  });
});
