import { existsSync } from 'node:fs';

import { type Browser, type BrowserContext, chromium, type Response } from 'playwright-core';

const USUAL_PLACES = [
  ...['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'],
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Nothing but the pages: no calls home, no sandbox, which root cannot have. */
export const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** Throws where there is no browser. */
export function chromiumPath(): string {
  const executablePath = [process.env.CHROMIUM_PATH ?? '', ...USUAL_PLACES].find(
    (path) => path !== '' && existsSync(path),
  );
  if (executablePath === undefined) {
    throw new Error(
      'These tests need Chromium: install it (Debian, Ubuntu: apt-get install -y chromium), or set CHROMIUM_PATH.',
    );
  }
  return executablePath;
}

/** Below the limit of a test, so that what was waited for is named; on a busy machine half a minute is often too short. */
const STEP_MS = 150_000;

/** Has each step of a test wait as long as that for its page. */
export const withPatience = (context: BrowserContext): void => {
  context.setDefaultTimeout(STEP_MS);
  context.on('response', tellFailure);
};

/** A test that waits for another page than it gets tells only what it waits for. */
async function tellFailure(answer: Response): Promise<void> {
  if (answer.status() >= 500 && answer.request().isNavigationRequest()) {
    const text = await answer.text().catch(() => '');
    process.stderr.write(`${answer.status()} of ${answer.url()}: ${text}\n`);
  }
}

/** The browser of this machine. Throws where there is none. */
export async function launchChromium(...flags: readonly string[]): Promise<Browser> {
  const executablePath = chromiumPath();
  const args = [...FLAGS, ...flags];
  const browser = await chromium.launch({ executablePath, headless: true, args });
  return browser.on('context', withPatience);
}
