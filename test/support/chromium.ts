import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Browser, type BrowserContext, chromium, type Response } from 'playwright-core';

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

const SETPRIV = '/usr/bin/setpriv';

/**
 * Returns the path of a script that starts the program without the right to raise its priority. Started by root,
 * Chromium runs some processes at a nice value of -8. On a busy machine, these processes would take so much processor
 * time that the database misses the time limits of the service.
 */
function atNormalPriority(program: string): string {
  if (process.getuid?.() !== 0 || !existsSync(SETPRIV)) {
    return program;
  }
  const script = join(mkdtempSync(join(tmpdir(), 'satchel-chromium-')), 'chromium');
  const line = `exec ${SETPRIV} --bounding-set=-sys_nice '${program}' "$@"`;
  writeFileSync(script, `#!/bin/sh\n${line}\n`, { mode: 0o700 });
  return script;
}

/** @throws Error if no browser is installed */
export function chromiumPath(): string {
  const executablePath = [process.env.CHROMIUM_PATH ?? '', ...USUAL_PLACES].find(
    (path) => path !== '' && existsSync(path),
  );
  if (executablePath === undefined) {
    throw new Error(
      'These tests need Chromium: install it (Debian, Ubuntu: apt-get install -y chromium), or set CHROMIUM_PATH.',
    );
  }
  return atNormalPriority(executablePath);
}

/**
 * Shorter than the time limit of a test, so that the error names the step. Half a minute is too short on a busy
 * machine.
 */
const STEP_MS = 150_000;

/** Sets the timeout of each step to `STEP_MS`. */
export const withPatience = (context: BrowserContext): void => {
  context.setDefaultTimeout(STEP_MS);
  context.on('response', tellFailure);
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
  const executablePath = chromiumPath();
  const args = [...FLAGS, ...flags];
  const browser = await chromium.launch({ executablePath, headless: true, args });
  return browser.on('context', withPatience);
}
