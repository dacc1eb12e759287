import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { Page } from 'playwright-core';

const AXE = readFileSync(
  createRequire(join(process.cwd(), 'package.json')).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** Waits for the style sheets. A test can find an element before they are loaded. */
const LOADED = `new Promise((resolve) => {
  if (document.readyState === 'complete') resolve();
  else addEventListener('load', resolve);
})`;

interface AxeResult {
  readonly violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
}

/** Leaves out the elements that pass, which are thousands and of no use here. */
const RUN = `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => ({ violations }))`;

/** Returns the axe violations of a loaded page. The page's Content-Security-Policy must be off, since it blocks axe. */
export async function violationsOf(page: Pick<Page, 'evaluate'>): Promise<string[]> {
  const { violations } = await page.evaluate<AxeResult>(`${AXE}; ${LOADED}.then(() => ${RUN})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
