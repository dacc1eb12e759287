import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';

import { AccountApi, type SignedIn } from '../support/account-api.js';
import { Authenticator } from '../support/authenticator.js';
import { launchChromium } from '../support/chromium.js';
import { ageSessions } from '../support/old-sessions.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let devtools: CDPSession;
let authenticatorId: string;
let ada: SignedIn;
let site: string;
const complaints: string[] = [];

beforeAll(async () => {
  app = await aTestApp();
  site = app.url.replace('127.0.0.1', 'localhost');
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

beforeEach(async () => {
  ada = await new AccountApi(app).signedIn();
  context = await browser.newContext();
  page = await context.newPage();
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) {
      complaints.push(message.text());
    }
  });
  devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  ({ authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal' },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
      automaticPresenceSimulation: true,
    },
  }));
  // The virtual authenticator would answer the suggestions of the login page at once.
  await suggest(false);
  await logIn();
});
afterEach(() => context.close());

const suggest = (isOn: boolean) =>
  context.addInitScript(
    `PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(${String(isOn)})`,
  );

async function enterPassword(): Promise<void> {
  await page.goto(`${site}/auth/login`);
  await page.getByLabel('Email address').fill(ada.email);
  await page.getByLabel('Password').fill(ada.password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
}

async function logIn(): Promise<void> {
  await enterPassword();
  await page.getByRole('heading', { name: 'Unread' }).waitFor();
}

async function leave(): Promise<void> {
  await page.goto(`${site}/account`);
  await page.getByRole('button', { name: 'Log out of this browser' }).click();
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
}

async function addPasskey(): Promise<void> {
  await page.goto(`${site}/account/security`);
  await page.getByRole('link', { name: 'Manage passkeys' }).click();
  await page.getByRole('link', { name: 'Add passkey' }).click();
  await page.getByLabel('Name').fill('Test key');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByText('Passkey added.').waitFor();
}

const use = (name: string) => page.getByRole('button', { name }).click();

it('adds a passkey, logs in with it, and removes it', async () => {
  await addPasskey();
  expect(await page.getByRole('heading', { name: 'Test key' }).count()).toBe(1);

  await leave();
  await use('Log in with a passkey');
  await page.getByRole('heading', { name: 'Unread' }).waitFor();

  await page.goto(`${site}/account/passkeys`);
  await use('Remove Test key');
  await page.getByText('You have no passkeys.').waitFor();
  await leave();
  await use('Log in with a passkey');
  await page.getByText('The passkey was not accepted.').waitFor();
});

it('offers the passkey in the email field', async () => {
  await addPasskey();
  await leave();
  await suggest(true);

  await page.goto(`${site}/auth/login?next=/account`);

  await page.waitForURL(`${site}/account`);
});

it('accepts the passkey instead of a code', async () => {
  await addPasskey();
  await page.goto(`${site}/account/second-factor`);
  const codes = new Authenticator(await page.locator('#factor-key').innerText(), app.clock);
  await page.getByLabel('Password').fill(ada.password);
  await page.getByRole('textbox', { name: 'Code' }).fill(codes.code());
  await use('Turn on');
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  await leave();
  await enterPassword();
  await page.getByRole('heading', { name: 'Enter the code' }).waitFor();

  await use('Use a passkey');

  await page.getByRole('heading', { name: 'Unread' }).waitFor();
});

it('accepts the passkey as a confirmation', async () => {
  await addPasskey();
  await ageSessions(app, ada.id);
  await page.goto(`${site}/account/keys`);
  await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();

  await use('Use a passkey');

  await page.waitForURL(`${site}/account/keys`);
});

it('asks for a confirmation if the login is too old when the passkey is added', async () => {
  await page.goto(`${site}/account/passkeys/new`);
  await ageSessions(app, ada.id);

  await use('Add passkey');

  await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
});

it('refuses a passkey whose counter goes back', async () => {
  await addPasskey();
  await app.database.query('UPDATE passkeys SET counter = 1000 WHERE user_id = $1', [ada.id]);
  await leave();

  await use('Log in with a passkey');

  await page.getByText('The passkey was not accepted.').waitFor();
});

it('explains that the browser has used no passkey', async () => {
  await leave();
  await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
  await page.evaluate(`navigator.credentials.get = () => Promise.reject(new Error('cancelled'))`);

  await use('Log in with a passkey');

  await page.getByText('The browser did not use a passkey.').waitFor();
});

it('violates no content security policy', () => {
  expect(complaints).toEqual([]);
});
