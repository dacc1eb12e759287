import { violationsOf } from '../support/axe.js';
import { overflowOf } from '../support/browser-layout.js';
import { OfflineBrowser, type OfflineReader } from '../support/offline-browser.js';
import { until } from '../support/processes.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const WORDS = 'Plain words about the harbour and its lamps. '.repeat(20);
const ARTICLE = `<title>The harbour</title><article><h1>The harbour</h1>
  <p>Lamps burn late.</p>${`<p>${WORDS}</p>`.repeat(16)}</article>`;

/** Queues 500 changes of the tags of an item that does not exist. */
const FILL_QUEUE = `new Promise((resolve) => {
  indexedDB.open('satchel').onsuccess = ({ target: { result } }) => {
    const transaction = result.transaction(['changes', 'state'], 'readwrite');
    transaction.objectStore('state').get('user').onsuccess = ({ target: { result: { user } } }) => {
      for (let count = 0; count < 500; count += 1) {
        transaction.objectStore('changes').add({ user, body: 'action=tags_add&item[]=1&tags=x' });
      }
    };
    transaction.oncomplete = () => resolve(result.close());
  };
})`;

let app: TestApp;
let browser: OfflineBrowser;
let reader: OfflineReader;
let id: string;

beforeAll(async () => {
  app = await aTestApp({ config: { resolveWaitMs: 60_000 } });
  browser = await OfflineBrowser.launched(app);
});
afterAll(async () => {
  await browser.close();
  await app.close();
});
beforeEach(async () => {
  const api = await ReadingListApi.of(app);
  id = await api.saved('https://harbour.example/', { html: ARTICLE, tags: 'sea' });
  reader = await browser.reader(api);
  await reader.kept('/list', `/read/${id}`);
});
afterEach(() => reader.context.close());

/** Connects the network, opens a page, and waits for a result of the queued changes. */
async function sentWhenOnline(isDone: () => Promise<boolean>): Promise<void> {
  await reader.setOffline(false);
  await reader.page.goto('/account');
  await until(isDone, 'the queued change');
}

const urls = async (): Promise<string[]> =>
  (await reader.api.items({ sort: 'newest' })).map(({ given_url: url }) => url);

describe('saving without a network', () => {
  it('queues the form, shows the address, and saves the page when the network is back', async () => {
    const { page } = reader;
    await reader.setOffline(true);
    await page.getByRole('link', { name: 'Save', exact: true }).click();
    expect(await reader.heading).toBe('No network');
    await page.getByLabel('Address').fill('https://late.example/');
    await page.getByLabel('Tags').fill('later');

    await page.getByRole('button', { name: 'Save when the network is back' }).click();

    await page.getByText('Satchel will save this page when the network is back').waitFor();
    expect(await reader.notice).toContain('https://late.example/');
    await page.setViewportSize({ width: 320, height: 700 });
    expect(await violationsOf(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    await page.goto('/list');
    await page.getByText('https://late.example/').waitFor();
    expect(await urls()).toHaveLength(1);
    await reader.setOffline(false);
    await page.locator('.items h2', { hasText: 'late.example' }).waitFor();
    expect(await urls()).toEqual(['https://late.example/', 'https://harbour.example/']);
    expect((await reader.api.items({ tag: 'later' })).length).toBe(1);
  });

  it('queues the form of a page that was opened before the network was lost', async () => {
    const { page } = reader;
    await page.goto('/save');
    await page.locator('#url').fill('https://late.example/');
    await reader.setOffline(true);

    await page.getByRole('button', { name: 'Save', exact: true }).click();

    await page.getByText('Satchel will save this page when the network is back').waitFor();
    await sentWhenOnline(async () => (await urls()).includes('https://late.example/'));
  });

  it('asks before it queues an address that another site may have opened', async () => {
    const { page } = reader;
    await reader.setOffline(true);

    await page.goto('/save?url=https%3A%2F%2Fforeign.example%2F&title=Foreign');

    expect(await reader.heading).toBe('No network');
    expect(await page.getByLabel('Address').inputValue()).toBe('https://foreign.example/');
    expect(await page.getByLabel('Title').inputValue()).toBe('Foreign');
    await sentWhenOnline(() => reader.isKept('/list'));
    await page.goto('/list');
    expect(await urls()).toEqual(['https://harbour.example/']);
    await reader.setOffline(true);
    await page.goto('/save?text=See+https%3A%2F%2Fshared.example%2Fx');
    await page.getByRole('button', { name: 'Save when the network is back' }).click();
    await page.getByText('Satchel will save this page').waitFor();
    await sentWhenOnline(async () => (await urls()).includes('https://shared.example/x'));
  });

  it('reports an address that Satchel rejects until the user dismisses it', async () => {
    const { page } = reader;
    await reader.setOffline(true);
    await page.goto('/save');
    await page.getByLabel('Address').fill('javascript:alert(1)');
    await page.getByRole('button', { name: 'Save when the network is back' }).click();
    await page.getByText('Satchel will save this page').waitFor();

    await reader.setOffline(false);
    await page.goto('/account');

    await page.getByText('Satchel rejected 1 change').waitFor();
    expect(await reader.notice).toContain('javascript:alert(1): ');
    await page.goto('/list');
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.locator('.notice.offline').waitFor({ state: 'hidden' });
    await page.reload();
    await page.waitForTimeout(500);
    expect(await page.locator('.notice.offline').isHidden()).toBe(true);
  });
});

describe('an article without a network', () => {
  it('queues a highlight with its note once, and deletes it again', async () => {
    const { page } = reader;
    await reader.setOffline(true);
    await page.goto(`/read/${id}?list=state%3Dall`);
    // The notice about the missing network moves the page, so a click can miss on a busy machine.
    await page.locator('#add-highlight > summary').press('Enter');
    await page.locator('#quote').fill('Lamps burn late.');
    await page.locator('#note').fill('So they do');

    await page.locator('#highlight-form button').click();

    await page.getByText('Satchel will add these highlights and notes').waitFor();
    expect(await reader.notice).toContain('Lamps burn late.');
    expect(new URL(page.url()).pathname).toBe(`/read/${id}`);
    await sentWhenOnline(async () => (await highlights()).length > 0);
    expect(await highlights()).toEqual(['Lamps burn late.']);
    await page.goto(`/read/${id}`);
    await page.locator('mark').waitFor();
    await reader.setOffline(true);
    await page.getByText('Edit or delete').click();
    await page.getByRole('button', { name: 'Delete highlight' }).click();
    await page.getByText('1 change is queued until you are online.').waitFor();
    await sentWhenOnline(async () => (await highlights()).length === 0);
  });

  it('queues the latest reading position, and continues there', async () => {
    const { page } = reader;
    await reader.setOffline(true);
    await page.goto(`/read/${id}`);
    await page.mouse.move(200, 300);
    for (const scrolls of [1, 2, 3, 4, 5]) {
      await page.mouse.wheel(0, 500);
      await until(async () => (await page.evaluate<number>('scrollY')) >= scrolls * 400, 'scroll');
    }

    await page.goto('/list');
    await page.goto(`/read/${id}`);

    await until(
      async () => (await page.evaluate<number>('scrollY')) > 1000,
      'the reading position of the queue',
    );
    expect(await page.getByText('queued').count()).toBe(0);
    await sentWhenOnline(async () => {
      const rows = await app.database.query(
        'SELECT FROM reading_positions WHERE user_id = $1 AND item_id = $2 AND fraction > 0.1',
        [reader.api.user.id, id],
      );
      return rows.length === 1;
    });
  });

  it('queues its tags from the form for tags', async () => {
    const { page } = reader;
    await reader.setOffline(true);
    await page.goto(`/read/${id}`);
    await page.locator('#bar').getByRole('link', { name: 'Tags' }).click();
    await page.getByLabel('Tags').waitFor();
    expect(await page.getByLabel('Tags').inputValue()).toBe('sea');
    expect(await violationsOf(page)).toEqual([]);
    await page.getByLabel('Tags').fill('sea, night');

    await page.getByRole('button', { name: 'Save' }).click();

    await page.getByText('1 change is queued until you are online.').waitFor();
    expect(await reader.heading).toBe('The harbour');
    await sentWhenOnline(async () => (await reader.api.items({ tag: 'night' })).length === 1);
  });

  it('opens the form for tags from the list', async () => {
    const { page } = reader;
    await reader.setOffline(true);
    await page.goto('/list');

    await page.evaluate(`document.querySelector('button[value^="edit_tags"]').click()`);

    await page.locator('#tags-form').waitFor();
    expect(await page.locator('#item-title').innerText()).toBe('The harbour');
  });
});

it('a message says that a change is not stored if the queue is full', async () => {
  const { page } = reader;
  await page.evaluate(FILL_QUEUE);
  await reader.setOffline(true);
  await page.goto('/list');

  await page.locator('.items').getByRole('button', { name: 'Archive' }).click();
  await page.locator('.done', { hasText: 'This change is not stored' }).waitFor();
  expect(await page.locator('.items h2').count()).toBe(1);
  await page.goto('/save');
  await page.getByLabel('Address').fill('https://late.example/');
  await page.getByRole('button', { name: 'Save when the network is back' }).click();

  await page.getByRole('alert').filter({ hasText: 'This change is not stored' }).waitFor();
});

it('an open page sends the queued changes after a try that failed', async () => {
  const { page, context } = reader;
  await reader.setOffline(true);
  await page.goto(`/read/${id}`);
  await page.locator('#archive-form button').click();
  await page.getByText('1 change is queued until you are online.').waitFor();
  const earlier = browser.network.connections;
  await context.setOffline(false);
  // Chromium itself opens up to three connections for the first try.
  await until(() => browser.network.connections > earlier + 3, 'tries that fail');

  browser.network.become('open');

  await until(async () => (await reader.api.items({ state: 'unread' })).length === 0, 'archived');
});

it('changes stay queued after the session has ended, and are sent after a new login', async () => {
  const { page, context } = reader;
  await reader.setOffline(true);
  await page.goto(`/read/${id}`);
  await page.locator('#archive-form button').click();
  await page.getByText('1 change is queued until you are online.').waitFor();
  await context.clearCookies();
  await reader.setOffline(false);
  await page.goto('/list');
  await page.waitForURL(/\/auth\/login/);
  expect((await reader.api.items({ state: 'unread' })).length).toBe(1);

  await reader.logIn();

  await until(async () => (await reader.api.items({ state: 'unread' })).length === 0, 'archived');
});

const highlights = async (): Promise<string[]> => {
  const item = await reader.api.item(id);
  return (item?.annotations ?? []).map(({ quote }) => quote);
};
