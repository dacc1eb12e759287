import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { Page } from 'playwright-core';

const AXE = readFileSync(
  createRequire(join(process.cwd(), 'package.json')).resolve('axe-core/axe.min.js'),
  'utf8',
);

interface AxeResult {
  readonly violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
}

/** What axe finds on a page whose policy is off: it lets no script in but that of the tests. */
export async function violationsOf(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate<AxeResult>(`${AXE}; axe.run()`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
