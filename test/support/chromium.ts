import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import {
  type Browser,
  type BrowserContext,
  chromium,
  type LaunchOptions,
  type Response,
} from 'playwright-core';

const USUAL_PLACES = [
  ...['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'],
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Disables background requests, and the sandbox, which does not work for root. */
export const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/**
 * Returns how to start Chromium. Started by root, Chromium raises the priority of some processes. On a busy machine,
 * these processes would take so much processor time that the database misses the time limits of the service. A script
 * therefore starts Chromium at normal priority.
 * @throws Error if no browser is installed
 */
export function chromiumProgram(): Pick<LaunchOptions, 'executablePath' | 'env'> {
  const path = [process.env.CHROMIUM_PATH ?? '', ...USUAL_PLACES].find(
    (place) => place !== '' && existsSync(place),
  );
  if (path === undefined) {
    throw new Error(
      'These tests need Chromium: install it (Debian, Ubuntu: apt-get install -y chromium), or set CHROMIUM_PATH.',
    );
  }
  return process.getuid?.() === 0
    ? {
        executablePath: resolve('test/support/chromium-at-normal-priority.sh'),
        env: { ...process.env, CHROMIUM_PROGRAM: path },
      }
    : { executablePath: path };
}

/**
 * Shorter than the time limit of a test, so that the error names the step. Half a minute is too short on a busy
 * machine.
 */
const STEP_MS = 150_000;

/** Chromium once did not confirm within three minutes that a context was closed. The end of the browser closes it too. */
const CLOSE_MS = 30_000;

/** Sets the timeout of each step to `STEP_MS`, and waits at most `CLOSE_MS` for the end of the context. */
export const withPatience = (context: BrowserContext): void => {
  context.setDefaultTimeout(STEP_MS);
  context.on('response', tellFailure);
  const close = context.close.bind(context);
  context.close = (options) =>
    Promise.race([close(options), setTimeout(CLOSE_MS, undefined, { ref: false })]);
};

/** Prints error pages. Otherwise a test that waits for another page would only report the selector it waits for. */
async function tellFailure(answer: Response): Promise<void> {
  if (answer.status() >= 500 && answer.request().isNavigationRequest()) {
    const text = await answer.text().catch(() => '');
    process.stderr.write(`${answer.status()} of ${answer.url()}: ${text}\n`);
  }
}

/**
 * Launches the installed browser.
 * @throws Error if no browser is installed
 */
export async function launchChromium(...flags: readonly string[]): Promise<Browser> {
  const args = [...FLAGS, ...flags];
  const browser = await chromium.launch({ ...chromiumProgram(), headless: true, args });
  return browser.on('context', withPatience);
}
