import type { Page } from 'playwright-core';

/** Pixels that a page is wider than its window; a page without its styles yet is as wide as its longest word. */
export async function overflowOf(page: Page): Promise<number> {
  await page.waitForLoadState('load');
  return page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
}
