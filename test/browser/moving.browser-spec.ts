import { readFileSync } from 'node:fs';

import type { Browser, BrowserContext, Page } from 'playwright-core';

import { ImportRepository } from '../../src/transfer/import/import.repository.js';
import { ImportRunner } from '../../src/transfer/import/import.runner.js';
import { ImportWorkers } from '../../src/transfer/import/import.workers.js';
import { UndoRunner } from '../../src/transfer/undo/undo.runner.js';
import { AccountApi, type SignedIn } from '../support/account-api.js';
import { violationsOf } from '../support/axe.js';
import { launchChromium } from '../support/chromium.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const VIEWPORTS = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 360, height: 640 },
} as const;

const PHONE = { width: 390, height: 844 };

const FILE = [
  'title,url,time_added,tags,status',
  ...Array.from(
    { length: 3000 },
    (_, row) => `Title ${row},https://example.com/${row},${row + 1},,unread`,
  ),
  'No address,,1,,unread',
].join('\n');

let app: TestApp;
let browser: Browser;

beforeAll(async () => {
  app = await aTestApp();
  // Stops the workers, so that no import starts before its page was checked.
  await app.app.get(ImportWorkers).beforeApplicationShutdown();
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

async function logIn(page: Page, { email, password }: SignedIn): Promise<void> {
  await page.goto(`${app.url}/auth/login`);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.waitForURL(/\/list$/);
  await page.goto(`${app.url}/account/data`);
}

async function upload(page: Page): Promise<void> {
  const file = { name: 'pocket.csv', mimeType: 'text/csv', buffer: Buffer.from(FILE) };
  await page.getByLabel('File').setInputFiles(file);
  await page.getByRole('button', { name: 'Import' }).click();
}

async function photograph(page: Page, name: string): Promise<void> {
  if (process.env.SCREENSHOTS !== undefined) {
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png` });
  }
}

async function runUndo(): Promise<void> {
  const claimed = await app.app.get(ImportRepository).claim();
  await app.app.get(UndoRunner).run(claimed!, new AbortController().signal);
}

async function runImport(): Promise<void> {
  const claimed = await app.app.get(ImportRepository).claim();
  await app.app.get(ImportRunner).run(claimed!, new AbortController().signal);
}

describe.each(Object.entries(VIEWPORTS))('in a browser the size of a %s', (_, viewport) => {
  let context: BrowserContext;
  let page: Page;
  let ada: SignedIn;

  beforeEach(async () => {
    ada = await new AccountApi(app).signedIn();
    context = await browser.newContext({ viewport, javaScriptEnabled: false });
    page = await context.newPage();
    await logIn(page, ada);
  });
  afterEach(() => context.close());

  it('a user imports a library, sees the progress without reloading, and exports the library', async () => {
    await upload(page);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Import of pocket.csv');
    expect(await page.getByRole('button', { name: 'Stop import' }).isVisible()).toBe(true);

    await runImport();
    await page.getByText('Done', { exact: true }).waitFor();

    expect(await page.locator('dl').innerText()).toMatch(/Added\s*3,000[^]*Rejected\s*1/);
    const [remarks] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /^Rows and fields/ }).click(),
    ]);
    expect(remarks.suggestedFilename()).toMatch(/^import-\d+\.csv$/);
    await page.getByRole('link', { name: 'Import and export' }).click();
    await page.getByLabel('Format').selectOption('jsonl');
    const [library] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(
      readFileSync(await library.path(), 'utf8')
        .trimEnd()
        .split('\n'),
    ).toHaveLength(3001);
    const api = await ReadingListApi.of(app, { user: ada });
    expect((await api.found({ total: 1, count: 1 })).total).toBe('3000');
  });
});

describe.each(['light', 'dark'] as const)('import page in the %s color scheme', (colorScheme) => {
  it('has no accessibility violations before and after the import', async () => {
    const context = await browser.newContext({ colorScheme, bypassCSP: true });
    const page = await context.newPage();
    await logIn(page, await new AccountApi(app).signedIn());
    await upload(page);
    await page.getByRole('button', { name: 'Stop import' }).waitFor();
    const found = await violationsOf(page);
    await runImport();
    await page.getByText('Done', { exact: true }).waitFor();

    expect([...found, ...(await violationsOf(page))]).toEqual([]);
    await photograph(page, `import-${colorScheme}`);
    await context.close();
  });

  it('has no accessibility violations before and after the undo', async () => {
    const viewport = colorScheme === 'light' ? { width: 1280, height: 800 } : PHONE;
    const context = await browser.newContext({ colorScheme, viewport, bypassCSP: true });
    const page = await context.newPage();
    await logIn(page, await new AccountApi(app).signedIn());
    await upload(page);
    await runImport();
    await page.getByRole('link', { name: 'Undo this import' }).click();
    expect(await page.locator('dl').innerText()).toMatch(/^Items removed\s*3,000$/);
    const found = await violationsOf(page);
    await photograph(page, `undo-${colorScheme}`);
    await page.getByRole('button', { name: 'Undo import' }).click();
    await page.getByText('Undoing', { exact: true }).waitFor();
    found.push(...(await violationsOf(page)));
    await runUndo();
    await page.getByText('Undone', { exact: true }).waitFor();
    expect(await page.locator('dl').innerText()).toMatch(/Added\s*3,000[^]*Items removed\s*3,000$/);
    await photograph(page, `undone-${colorScheme}`);

    expect([...found, ...(await violationsOf(page))]).toEqual([]);
    await context.close();
  });
});
