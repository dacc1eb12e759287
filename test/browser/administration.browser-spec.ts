import type { Browser, Page } from 'playwright-core';

import { Invitations } from '../../src/auth/links/invitations.js';
import { AccountApi, aPerson, PASSWORD, type Person } from '../support/account-api.js';
import { violationsOf } from '../support/axe.js';
import { overflowOf } from '../support/browser-layout.js';
import { launchChromium } from '../support/chromium.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

/** A small phone and a desktop. */
const WIDTHS = [360, 1280] as const;

let app: TestApp;
let browser: Browser;
/** The first user, who is an administrator. */
let root: Person & { id: string };

beforeAll(async () => {
  app = await aTestApp({ config: { registration: 'until-first-user' } });
  root = await new AccountApi(app).registered();
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

async function logIn(page: Page, { email, password }: Pick<Person, 'email' | 'password'>) {
  await page.goto(`${app.url}/auth/login`);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.waitForURL(`${app.url}/list`);
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click();
const shownOnce = (page: Page): Promise<string> => page.locator('dd.address').innerText();
const notice = (page: Page): Promise<string> => page.getByRole('status').innerText();

/** Creates a user through an invitation. */
async function anInvitedUser(): Promise<Person> {
  const person = aPerson();
  const { path } = await app.app.get(Invitations).make(undefined);
  const invitation = path.replace(/^.*=/, '');
  await new AccountApi(app).post('/register', { ...person, invitation }).expect(201);
  return person;
}

describe('an invitation', () => {
  it('lets exactly one person create an account while registration is closed', async () => {
    const [administrator, stranger] = [await browser.newContext(), await browser.newContext()];
    const [desk, phone] = [await administrator.newPage(), await stranger.newPage()];
    const grace = { name: 'Grace', email: 'grace@example.com', password: PASSWORD };

    await phone.goto(app.url);
    expect(await phone.getByRole('link', { name: 'Create account' }).count()).toBe(0);
    await phone.goto(`${app.url}/auth/register`);
    expect(await phone.locator('h1').innerText()).toBe('You cannot create an account');

    await logIn(desk, root);
    await desk.goto(`${app.url}/admin/invitations`);
    await press(desk, 'Create invitation');
    const link = await shownOnce(desk);

    await phone.goto(link);
    await phone.getByLabel('Name').fill(grace.name);
    await phone.getByLabel('Email address').fill(grace.email);
    await phone.getByLabel('Password').fill(grace.password);
    await press(phone, 'Create account');
    await phone.waitForURL(`${app.url}/list`);
    await phone.goto(`${app.url}/admin`);
    expect(await phone.locator('main').innerText()).toContain('Only administrators');
    await phone.goto(link);
    expect(await phone.locator('main').innerText()).toContain('was already used, has expired');

    await desk.goto(`${app.url}/admin/users?q=grace`);
    await follow(desk, grace.email);
    await press(desk, 'Disable');
    expect(await notice(desk)).toBe('Disabled.');
    await phone.goto(`${app.url}/list`);
    await phone.waitForURL(/\/auth\/login/);
    await Promise.all([administrator.close(), stranger.close()]);
  });
});

describe.each(['light', 'dark'] as const)('admin pages in the %s color scheme', (colorScheme) => {
  it.each(WIDTHS)('have no accessibility violations and fit into %d pixels', async (width) => {
    const person = await anInvitedUser();
    const context = await browser.newContext({
      ...{ colorScheme, bypassCSP: true },
      viewport: { width, height: 800 },
    });
    const page = await context.newPage();
    const found: string[] = [];
    const check = async (heading: string) => {
      expect(await page.locator('h1').innerText()).toBe(heading);
      found.push(...(await violationsOf(page)));
      found.push(...((await overflowOf(page)) > 0 ? [`${page.url()} is too wide`] : []));
    };

    await logIn(page, root);
    await page.goto(`${app.url}/account`);
    await check('Your account');
    await follow(page, 'Administration');
    await check('Administration');
    await follow(page, 'Users');
    await check('Users');
    await page.getByLabel('Email address or name').fill(root.email);
    await press(page, 'Search');
    await follow(page, root.email);
    await check(root.email);
    await press(page, 'Disable');
    expect(await page.getByRole('alert').innerText()).toContain('the last administrator');
    await check(root.email);
    await page.goto(`${app.url}/admin/users?q=${person.email}`);
    await follow(page, person.email);
    await press(page, 'Create password reset link');
    await check('Password reset link');
    await follow(page, 'Back');
    await follow(page, 'Delete account…');
    await check(`Delete the account of ${person.email}?`);
    await press(page, 'Delete account');
    expect(await notice(page)).toBe('Deleted.');

    await follow(page, 'Keys');
    await page.getByLabel('Application name').fill('Reader');
    for (const permission of ['retrieve', 'add', 'modify']) {
      await page.getByLabel(permission).uncheck();
    }
    await press(page, 'Create key');
    expect(await page.getByRole('alert').innerText()).toContain('at least one');
    await check('Consumer keys');
    await page.getByLabel('retrieve').check();
    await press(page, 'Create key');
    await check('Consumer key of Reader');
    await follow(page, 'Back');
    await page.getByLabel('modify').check();
    await press(page, 'Change permissions');
    expect(await notice(page)).toBe('Permissions changed.');
    await check('Reader');

    await follow(page, 'Invitations');
    await page.getByLabel('Email address').fill('a-person-with-a-rather-long-address@example.com');
    await press(page, 'Create invitation');
    await check('Invitation created');
    await follow(page, 'Back');
    await check('Invitations');
    await page.getByRole('button', { name: 'Revoke the invitation for a-person' }).click();
    expect(await notice(page)).toBe('Invitation revoked.');
    await context.close();

    expect(found).toEqual([]);
  });
});
