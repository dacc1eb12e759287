import type { Page } from 'playwright-core';

import { violationsOf } from '../support/axe.js';
import { overflowOf } from '../support/browser-layout.js';
import { endSentence } from '../support/fake-speech.js';
import { button, Listeners, speaks, type Visit } from '../support/listeners.js';
import { until } from '../support/processes.js';

let listeners: Listeners;
beforeAll(async () => {
  listeners = await Listeners.started();
});
afterAll(() => listeners.stop());
afterEach(() => listeners.leave());

const stored = (id: string) =>
  listeners.app.database.query<{ paragraph: number; fraction: number }>(
    'SELECT paragraph, fraction FROM reading_positions WHERE item_id = $1',
    [id],
  );

describe('the position of listening', () => {
  it('is the reading position, and goes on in another browser', async () => {
    const id = await listeners.aLongArticle();
    const page = await listeners.listening({ id });
    for (let step = 0; step < 30; step += 1) {
      await page.keyboard.press('>');
    }
    await speaks(page, '29 begins.');
    await until(async () => {
      const { y = -1 } = (await page.locator('#p-29').boundingBox()) ?? {};
      return y >= 0 && y < 600;
    }, 'the spoken paragraph in view');

    await button(page, 'Pause').click();
    await until(async () => (await stored(id))[0]?.paragraph === 29, 'the stored position');
    const other = await listeners.listening({ id }, { viewport: { width: 390, height: 844 } });

    await speaks(other, '29 begins.');
  });

  it('is kept in view, except while the user scrolls', async () => {
    const page = await listeners.listening({ id: await listeners.aLongArticle() });
    const top = () => page.evaluate<number>('scrollY');
    await page.mouse.move(300, 300);
    await page.mouse.wheel(0, 9000);
    await until(async () => (await top()) >= 9000, 'the end of scrolling');

    await endSentence(page);
    await speaks(page, '0 begins.');
    expect(await top()).toBeGreaterThanOrEqual(9000);
    await button(page, 'Go to spoken sentence').click();

    await until(async () => (await top()) < 300, 'the spoken sentence');
    expect(await button(page, 'Go to spoken sentence').count()).toBe(0);
  });

  it('begins at the paragraph to which the user has scrolled', async () => {
    const page = await listeners.opened({ id: await listeners.aLongArticle() });
    await page.mouse.move(300, 300);
    const distance = await page.evaluate<number>(
      `document.getElementById('p-20').getBoundingClientRect().top`,
    );
    await page.mouse.wheel(0, distance);
    await until(
      () =>
        page.evaluate<boolean>(
          `Math.abs(document.getElementById('p-20').getBoundingClientRect().top) < 2`,
        ),
      'the paragraph',
    );

    await page.keyboard.press('l');

    await speaks(page, '20 begins.');
  });
});

describe('after the last sentence', () => {
  /** Listens to the end of an article. Waits for the page of the next one. */
  async function heard(visit: Visit = {}): Promise<{ id: string; next: Page }> {
    const nextId = await listeners.aLongArticle();
    const id = await listeners.aTalk();
    const page = await listeners.listening({ ...visit, id });
    for (let count = 0; count < 6; count += 1) {
      await page.keyboard.press('>');
    }
    await speaks(page, 'The last one.');
    await endSentence(page);
    await page.waitForURL(`**/read/${nextId}`);
    return { id, next: page };
  }

  it('the article is read, and the next unread article follows', async () => {
    const { id, next } = await heard();

    await speaks(next, 'Long');
    await until(async () => (await stored(id))[0]?.fraction === 1, 'the stored position');
  });

  it('items without text are skipped, and the player says so', async () => {
    const nextId = await listeners.aLongArticle();
    await listeners.aLink('Never fetched');
    const id = await listeners.aTalk();
    const page = await listeners.listening({ id });
    for (let count = 0; count < 6; count += 1) {
      await page.keyboard.press('>');
    }
    await speaks(page, 'The last one.');

    await endSentence(page);

    await page.waitForURL(`**/read/${nextId}`);
    await speaks(page, 'Long');
    expect(await page.locator('.player-status').innerText()).toBe('Skipped 1 item without text.');
  });

  it('the next article waits for Play if the browser refuses to speak', async () => {
    const { next } = await heard({ needsTap: true });
    await next.getByText('The browser stopped the voice. Press Play to continue.').waitFor();

    await button(next, 'Play').click();

    await speaks(next, 'Long');
  });
});

describe('the player', () => {
  it.each(['light', 'dark'] as const)('has no axe violations and fits: %s', async (colorScheme) => {
    const page = await listeners.listening(
      { id: await listeners.aLongArticle() },
      { colorScheme, bypassCSP: true },
    );
    const found: unknown[] = [];

    for (const width of [320, 390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      found.push(...(await violationsOf(page)));
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      for (const control of await page.locator('.player :is(button, select):visible').all()) {
        const box = await control.boundingBox();
        expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
      }
    }

    expect(found).toEqual([]);
  });
});
