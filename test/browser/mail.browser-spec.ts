import type { Browser, Page } from 'playwright-core';

import { AccountApi, aPerson } from '../support/account-api.js';
import { violationsOf } from '../support/axe.js';
import { overflowOf } from '../support/browser-layout.js';
import { launchChromium } from '../support/chromium.js';
import { MailingApp } from '../support/mailing-app.js';

const NEXT = 'another pass phrase';

let mailing: MailingApp;
let url: string;
let browser: Browser;

beforeAll(async () => {
  mailing = await MailingApp.begin();
  ({ url } = mailing.app);
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await mailing.close();
});

const heading = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { name, exact: true }).waitFor();

async function logIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

it('a user resets a lost password by mail, in a browser without scripts', async () => {
  const { email, password } = await new AccountApi(mailing.app).registered();
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) {
      complaints.push(message.text());
    }
  });
  await page.goto(`${url}/auth/login`);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Send email' }).click();
  await heading(page, 'Check your email');

  await page.goto(`${url}${await mailing.linkTo(email)}`);
  await page.getByLabel('New password').fill('short');
  await page.getByRole('button', { name: 'Change password' }).click();
  expect(await page.getByRole('alert').innerText()).toContain('at least 8 characters');
  await page.getByLabel('New password').fill(NEXT);
  await page.getByRole('button', { name: 'Change password' }).click();
  expect(await page.getByRole('status').innerText()).toContain('Password changed.');
  await logIn(page, email, password);
  expect(await page.getByRole('alert').innerText()).toContain('is incorrect');
  await logIn(page, email, NEXT);
  await heading(page, 'Unread');

  expect(complaints).toEqual([]);
  await context.close();
});

describe.each([
  ['light', 360],
  ['light', 1280],
  ['dark', 360],
  ['dark', 1280],
] as const)('email confirmation and password reset, %s, %d pixels wide', (colorScheme, width) => {
  it('have no accessibility violations and fit the window', async () => {
    mailing.set({ isEmailVerificationRequired: true });
    const { name, email, password } = aPerson();
    const context = await browser.newContext({
      ...{ colorScheme, bypassCSP: true },
      viewport: { width, height: 800 },
    });
    const page = await context.newPage();
    const found: string[] = [];
    const look = async (title: string): Promise<void> => {
      await heading(page, title);
      found.push(...(await violationsOf(page)));
      const fits = (await overflowOf(page)) <= 0;
      expect([title, fits]).toEqual([title, true]);
    };
    await page.goto(`${url}/auth/register`);
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await look('Confirm your email address');
    await page.getByRole('button', { name: 'Send email again' }).click();
    await page.getByRole('status').waitFor();
    await look('Confirm your email address');
    await page.goto(`${url}${await mailing.linkTo(email, 2)}`);
    await look('Confirm your email address');
    await page.getByRole('button', { name: 'Confirm email address' }).click();
    await page.getByRole('status').waitFor();
    await look('Log in');
    await page.goto(`${url}/auth/forgot`);
    await look('Forgot your password?');
    await page.getByLabel('Email address').fill(`ada-${colorScheme}-${width}@nowhere`);
    await page.getByRole('button', { name: 'Send email' }).click();
    await look('Forgot your password?');
    await page.getByLabel('Email address').fill(email);
    await page.getByRole('button', { name: 'Send email' }).click();
    await look('Check your email');
    const link = await mailing.linkTo(email, 3);
    await page.goto(`${url}${link}`);
    await look('Choose a new password');
    await page.getByLabel('New password').fill('short');
    await page.getByRole('button', { name: 'Change password' }).click();
    await look('Choose a new password');
    await page.getByLabel('New password').fill(NEXT);
    await page.getByRole('button', { name: 'Change password' }).click();
    await look('Log in');
    await page.goto(`${url}${link}`);
    await look('This link does not work');
    await context.close();

    expect(found).toEqual([]);
  });
});
