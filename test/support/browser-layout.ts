import type { Page } from 'playwright-core';

/** Returns by how many pixels a page is wider than its window. Waits for the styles, since unstyled pages overflow. */
export async function overflowOf(page: Page): Promise<number> {
  await page.waitForLoadState('load');
  return page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
}
