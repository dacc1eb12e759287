import type { Browser, Page } from 'playwright-core';

import { launchChromium } from '../support/chromium.js';
import { ExampleSite } from '../support/example-site.js';
import { Installation, type ServiceProcess } from '../support/service-process.js';

const ADA = { email: 'ada@example.com', password: 'a long pass phrase' };
const FIRST_KEY = /^ {4}(\S+)$/m;

let site: ExampleSite;
let installation: Installation;
let service: ServiceProcess;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  site = await ExampleSite.served();
  installation = new Installation();
  service = await installation.started();
  browser = await launchChromium();
  page = await browser.newPage();
});
afterAll(async () => {
  await browser.close();
  await installation.close();
  await site.stop();
});

async function fillIn(consumerKey: string, password: string): Promise<void> {
  await page.goto(`${site.url}/web-client/`);
  await page.getByLabel('Address of Satchel').fill(service.url);
  await page.getByLabel('Consumer key').fill(consumerKey);
  await page.getByLabel('Email address').fill(ADA.email);
  await page.getByLabel('Password').fill(password);
}

const firstKey = (): string => FIRST_KEY.exec(service.stdout)?.[1] ?? '';
const titles = (): Promise<string[]> => page.locator('li').allInnerTexts();

describe('the example web client on another origin', () => {
  it('creates an account, adds pages, lists and archives them', async () => {
    await fillIn(firstKey(), ADA.password);
    await page.getByRole('button', { name: 'Create account' }).click();
    for (const url of ['https://a.example/', 'https://b.example/']) {
      await page.getByLabel('Page').fill(url);
      await page.getByRole('button', { name: 'Add' }).click();
      await page.locator('li', { hasText: url }).waitFor();
    }
    expect(await titles()).toEqual(['https://b.example/ Archive', 'https://a.example/ Archive']);

    await page.getByRole('button', { name: 'Archive' }).first().click();
    await page.locator('li', { hasText: 'b.example' }).waitFor({ state: 'detached' });

    expect(await titles()).toEqual(['https://a.example/ Archive']);
    expect(await page.getByRole('status').innerText()).toBe('');
  });

  it('logs in again without setting a cookie', async () => {
    await fillIn(firstKey(), ADA.password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.locator('li').waitFor();

    expect(await titles()).toEqual(['https://a.example/ Archive']);
    expect(await page.context().cookies(service.url)).toEqual([]);
  });

  it('shows why a login is rejected, from the response body and from a header', async () => {
    await fillIn(firstKey(), 'another pass phrase');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('The credentials are not valid.').waitFor();
    await fillIn('0-unknown', ADA.password);
    await page.getByRole('button', { name: 'Log in' }).click();

    await page.getByText('consumer key').waitFor();
  });

  it('cannot use the session cookie of a login in the browser', async () => {
    await page.goto(`${service.url}/auth/login`);
    await page.getByLabel('Email address').fill(ADA.email);
    await page.getByLabel('Password').fill(ADA.password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.waitForURL(/\/list/);
    await page.goto(site.url);

    const answers = await page.evaluate<string[]>(`Promise.all(
      [['/login', 'include'], ['/logout', 'include'], ['/list', 'include'], ['/login', 'omit']].map(
        ([path, credentials]) => fetch(${JSON.stringify(service.url)} + path, {
          method: path === '/list' ? 'GET' : 'POST', credentials,
        }).then(({ status }) => String(status), () => 'kept away')))`);

    expect(answers).toEqual(['kept away', 'kept away', 'kept away', '401']);
    await page.goto(`${service.url}/list`);
    expect(await page.getByRole('heading', { name: 'Unread' }).count()).toBe(1);
  });
});
