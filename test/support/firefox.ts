import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import { type Browser, launch, type Page } from 'puppeteer-core';

import { until } from './processes.js';

const USUAL_PLACES = [
  ...['/usr/bin/firefox-esr', '/usr/bin/firefox'],
  '/Applications/Firefox.app/Contents/MacOS/firefox',
  'C:\\Program Files\\Mozilla Firefox\\firefox.exe',
];

/** Shorter than the time limit of a test, so that the error names the step. */
const STEP_MS = 150_000;

const EXTENSION = 'extension';
const EXTENSION_ID = 'extension@satchel.example';
/** Firefox chooses a random host for the pages of an extension, unless the profile already has one. */
const EXTENSION_HOST = '9a3c1ad0-0b7f-4c0e-9d6a-5f1b3b6f0a11';

const PREFERENCES = {
  'extensions.webextensions.uuids': JSON.stringify({ [EXTENSION_ID]: EXTENSION_HOST }),
  // No test can answer the permission prompt. With this preference, Firefox grants each optional permission.
  'extensions.webextOptionalPermissionPrompts': false,
};

/**
 * Returns the path of Firefox.
 * @throws Error if Firefox is not installed
 */
function firefoxProgram(): string {
  const path = [process.env.FIREFOX_PATH ?? '', ...USUAL_PLACES].find(
    (place) => place !== '' && existsSync(place),
  );
  if (path === undefined) {
    throw new Error(
      'These tests need Firefox: install it (Debian: apt-get install -y firefox-esr), or set FIREFOX_PATH.',
    );
  }
  return path;
}

/** The installed Firefox, controlled with WebDriver BiDi. Playwright only supports a Firefox of its own. */
export class Firefox {
  private constructor(private readonly browser: Browser) {}

  /** @throws Error if Firefox is not installed */
  static async launched(): Promise<Firefox> {
    const browser = await launch({
      browser: 'firefox',
      executablePath: firefoxProgram(),
      headless: true,
      // Without this flag, a test can open neither pages of an extension nor pages of Firefox itself.
      args: ['--remote-allow-system-access'],
      extraPrefsFirefox: PREFERENCES,
    });
    return new Firefox(browser);
  }

  async page(): Promise<Page> {
    const page = await this.browser.newPage();
    page.setDefaultTimeout(STEP_MS);
    return page;
  }

  /** Runs an action that opens a tab. Returns the tab. */
  async tabOpenedBy(action: () => Promise<unknown>): Promise<Page> {
    const before = new Set(await this.browser.pages());
    await action();
    let opened: Page | undefined;
    await until(async () => {
      opened = (await this.browser.pages()).find((page) => !before.has(page));
      return opened !== undefined;
    }, 'a new tab');
    opened!.setDefaultTimeout(STEP_MS);
    return opened!;
  }

  /** Installs the unpacked extension. */
  async extension(): Promise<FirefoxExtension> {
    await this.browser.installExtension(resolve(EXTENSION));
    const [settings, internal] = [await this.page(), await this.page()];
    await open(settings, `moz-extension://${EXTENSION_HOST}/options.html`);
    await open(internal, 'about:support');
    return new FirefoxExtension(settings, internal);
  }

  close(): Promise<void> {
    return this.browser.close();
  }
}

/** Opens a page outside the web. WebDriver BiDi reports no load event for such a page. */
async function open(page: Page, url: string): Promise<void> {
  const navigation = page.goto(url, { timeout: 0 });
  // The navigation only fails when the browser is closed.
  navigation.catch(() => undefined);
  const script = `location.href === '${url}' && document.readyState === 'complete'`;
  await until(() => page.evaluate(script) as Promise<boolean>, url);
}

/** This project's extension in Firefox. */
export class FirefoxExtension {
  constructor(
    readonly settings: Page,
    /** A page of Firefox itself, whose scripts can use the browser window. */
    private readonly internal: Page,
  ) {}

  /**
   * Opens the popup on a page, as the shortcut of the extension does. Key events of WebDriver BiDi only reach web
   * pages, so a script runs the command that belongs to the shortcut.
   */
  async pressShortcut(page: Page): Promise<void> {
    await page.bringToFront();
    await this.internal.evaluate(
      `Services.wm.getMostRecentWindow('navigator:browser')
        .document.querySelector('keyset[id^="ext-keyset-id-"] key').doCommand()`,
    );
  }

  /** An open popup would be closed by the next shortcut. */
  async closePopup(): Promise<void> {
    await this.settings.evaluate(
      `chrome.extension.getViews({ type: 'popup' }).forEach((popup) => popup.close())`,
    );
  }

  /** Waits until the popup is idle. Returns its text. */
  async popupText(): Promise<string> {
    const inPopup = (expression: string): Promise<unknown> =>
      this.settings.evaluate(
        `(([popup]) => popup && popup.document.${expression})(chrome.extension.getViews({ type: 'popup' }))`,
      );
    await until(
      async () => (await inPopup(`querySelector('main')?.ariaBusy`)) === 'false',
      'the end of what the popup does',
    );
    return String(await inPopup(`getElementById('status').textContent`));
  }
}
