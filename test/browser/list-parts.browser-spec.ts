import type { Browser, BrowserContext, Page } from 'playwright-core';

import { violationsOf } from '../support/axe.js';
import { overflowOf } from '../support/browser-layout.js';
import { launchChromium } from '../support/chromium.js';
import { type DigestReader, ListDigestWorld } from '../support/list-digest-world.js';
import { LISTS } from '../support/list-publisher.js';

const WIDTHS = [320, 390, 1280];
const HEIGHT = 800;
const LANGUAGES = ['en', 'de', 'ar'];
const LONG_TITLE = 'A coast with a name that is much longer than one line of a phone';

let world: ListDigestWorld;
let browser: Browser;
let reader: DigestReader;
let publicPath: string;

beforeAll(async () => {
  let isRefused = true;
  world = await ListDigestWorld.begin(() =>
    isRefused ? { code: 550, text: 'no such user' } : undefined,
  );
  browser = await launchChromium();
  reader = await world.reader();
  const [first = ''] = await world.addItems(reader, 'At sea', LONG_TITLE, 'مدّ البحر');
  await reader.api.sent({ action: 'set_note', item_id: first, note: 'For the talk in spring.' });
  publicPath = await reader.publish({ notes: '1' });
  const { visitor, editPath } = reader;
  const share = await visitor.form(`/read/${first}`, `/read/${first}/share`);
  await visitor.submit(share, { days: 'never' }).expect(303);
  await world.withEReader(reader, 'ada@kindle.example');
  const rule = await visitor.form(editPath, `${LISTS}/rule`);
  await visitor.submit(rule, { on: '1', tags: 'read', archives: '1', sends: '1' }).expect(303);
  await world.save(reader);
  await world.sendNext(reader);
  isRefused = false;
  await world.sendNext(reader);
  await world.addItems(reader, 'refused');
  isRefused = true;
  await world.sendNext(reader);
  await world.app.database.query('UPDATE users SET email_verified_at = NULL WHERE id = $1', [
    reader.api.user.id,
  ]);
});
afterAll(async () => {
  await browser.close();
  await world.close();
});

const opened = (locale: string): Promise<BrowserContext> =>
  browser.newContext({
    ...{ baseURL: world.app.url, locale, bypassCSP: true, serviceWorkers: 'block' },
    viewport: { width: 390, height: HEIGHT },
  });

/** Returns the accessibility violations of a page, and its overflow in narrow windows. Takes screenshots on request. */
async function problemsOf(page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT });
      const overflow = await overflowOf(page);
      found.push(...(overflow > 0 ? [`is ${overflow} pixels too wide at ${width}`] : []));
      const folder = process.env['SCREENSHOTS'];
      if (folder !== undefined) {
        const path = `${folder}/${name}-${width}-${colorScheme}.png`;
        await page.screenshot({ path, fullPage: true });
      }
    }
    found.push(...(await violationsOf(page)));
  }
  return found;
}

describe.each(LANGUAGES)('the pages of a list in %s', (language) => {
  it('have no violations and fit into narrow windows with a rule and a failed digest', async () => {
    const context = await opened(language);
    const [name = '', value = ''] = reader.api.user.cookie.split('=', 2);
    await context.addCookies([{ name, value, url: world.app.url }]);
    const page = await context.newPage();

    await page.goto(reader.editPath);

    await page.locator('.rule-test li').first().waitFor();
    expect(await page.locator('#digest ~ .notice.bad').count()).toBe(2);
    expect(await problemsOf(page, `edit-list-${language}`)).toEqual([]);
    await context.close();
  });

  it('have no violations and fit into narrow windows with notes and links to articles', async () => {
    const context = await opened(language);
    const page = await context.newPage();

    await page.goto(publicPath);

    expect(await page.locator('.shared-items [id^=r]').count()).toBe(1);
    expect(await problemsOf(page, `public-list-${language}`)).toEqual([]);
    await context.close();
  });
});
