import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { Page } from 'playwright-core';

const AXE = readFileSync(
  createRequire(join(process.cwd(), 'package.json')).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** An element of a page is found before the page's style sheets are there. */
const LOADED = `new Promise((resolve) => {
  if (document.readyState === 'complete') resolve();
  else addEventListener('load', resolve);
})`;

interface AxeResult {
  readonly violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
}

/** What axe finds on a loaded page whose policy is off: it lets no script in but that of the tests. */
export async function violationsOf(page: Pick<Page, 'evaluate'>): Promise<string[]> {
  const { violations } = await page.evaluate<AxeResult>(`${AXE}; ${LOADED}.then(() => axe.run())`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
