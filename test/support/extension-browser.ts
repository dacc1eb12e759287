import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  type BrowserContext,
  type CDPSession,
  chromium,
  type Page,
  type Worker,
} from 'playwright-core';

import { chromiumProgram, FLAGS, withPatience } from './chromium.js';
import { until } from './processes.js';

const OWN = 'extension';

/**
 * Copies an unpacked extension. The only change grants access to the given hosts, because no test can answer the
 * browser's permission prompt.
 */
function aCopy(source: string, folder: string, allowed: readonly string[]): string {
  const copy = join(folder, 'extension');
  cpSync(source, copy, { recursive: true });
  const file = join(copy, 'manifest.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, JSON.stringify({ ...manifest, host_permissions: allowed }));
  return copy;
}

/** Chromium with this project's extension or another one. */
export class ExtensionBrowser {
  private constructor(
    readonly context: BrowserContext,
    readonly worker: Worker,
    private readonly devtools: CDPSession,
    private readonly folder: string,
  ) {}

  static async launched(allowed: readonly string[], source = OWN): Promise<ExtensionBrowser> {
    const folder = mkdtempSync(join(tmpdir(), 'satchel-extension-'));
    const extension = aCopy(source, folder, allowed);
    const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
      ...chromiumProgram(),
      headless: true,
      ignoreDefaultArgs: ['--disable-extensions'],
      args: [
        ...FLAGS,
        `--disable-extensions-except=${extension}`,
        `--load-extension=${extension}`,
        '--disable-features=DisableLoadExtensionCommandLineSwitch',
      ],
    });
    withPatience(context);
    const [running] = context.serviceWorkers();
    const worker = running ?? (await context.waitForEvent('serviceworker'));
    const devtools = await context.browser()!.newBrowserCDPSession();
    return new ExtensionBrowser(context, worker, devtools, folder);
  }

  async page(url: string): Promise<Page> {
    const page = await this.context.newPage();
    await page.goto(url);
    return page;
  }

  settings(): Promise<Page> {
    return this.page(new URL('/options.html', this.worker.url()).href);
  }

  /** Clicks the extension's button on a page. Returns the popup. */
  async popup(page: Page): Promise<Popup> {
    await page.bringToFront();
    const tabs = await this.targets([{ type: 'tab' }]);
    const tab = tabs.find(({ url }) => url === page.url());
    const id = new URL(this.worker.url()).host;
    // Playwright's types lack this newer method.
    const send = this.devtools.send.bind(this.devtools) as (
      method: string,
      params: object,
    ) => Promise<unknown>;
    await send('Extensions.triggerAction', { id, targetId: tab!.targetId });
    let targetId = '';
    await until(async () => {
      const shown = (await this.targets()).find(({ url }) => url.endsWith('/popup.html'));
      targetId = shown?.targetId ?? '';
      return targetId !== '';
    }, 'the popup');
    const { sessionId } = await this.devtools.send('Target.attachToTarget', { targetId });
    return new Popup(this.devtools, targetId, sessionId);
  }

  private async targets(filter?: { type: string }[]): Promise<{ targetId: string; url: string }[]> {
    const { targetInfos } = await this.devtools.send('Target.getTargets', filter && { filter });
    return targetInfos;
  }

  async close(): Promise<void> {
    await this.context.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

let messages = 0;

/** A popup of an extension. Playwright does not support popups, so the DevTools protocol controls it. */
export class Popup {
  constructor(
    private readonly devtools: CDPSession,
    private readonly targetId: string,
    private readonly sessionId: string,
  ) {}

  async evaluate<T>(expression: string): Promise<T> {
    const params = { expression, returnByValue: true, awaitPromise: true };
    const { result, exceptionDetails } = await this.send<{
      result: { value: T };
      exceptionDetails?: object;
    }>('Runtime.evaluate', params);
    if (exceptionDetails !== undefined) {
      throw new Error(JSON.stringify(exceptionDetails));
    }
    return result.value;
  }

  async screenshot(path: string): Promise<void> {
    const { data } = await this.send<{ data: string }>('Page.captureScreenshot', {});
    writeFileSync(path, Buffer.from(data, 'base64'));
  }

  private async send<T>(method: string, params: object): Promise<T> {
    messages += 1;
    const id = messages;
    const answered = new Promise<T>((resolve) => {
      const read = ({ sessionId, message }: { sessionId: string; message: string }) => {
        const answer = JSON.parse(message) as { id?: number; result: T };
        if (sessionId === this.sessionId && answer.id === id) {
          this.devtools.off('Target.receivedMessageFromTarget', read);
          resolve(answer.result);
        }
      };
      this.devtools.on('Target.receivedMessageFromTarget', read);
    });
    const message = JSON.stringify({ id, method, params });
    const { sessionId } = this;
    await this.devtools.send('Target.sendMessageToTarget', { sessionId, message });
    return answered;
  }

  /** Waits until the popup is idle. Returns its text. */
  async status(): Promise<string> {
    await until(
      () =>
        this.evaluate<boolean>(
          `document.querySelector('main')?.getAttribute('aria-busy')==='false'`,
        ),
      'the end of what the popup does',
    );
    return this.evaluate(`document.getElementById('status').textContent`);
  }

  /** Clicks the button and returns the popup's text afterwards. */
  async press(name: string): Promise<string> {
    await this.evaluate(`[...document.querySelectorAll('button')]
      .find((one) => one.checkVisibility() && (one.ariaLabel ?? one.textContent) === ${JSON.stringify(name)}).click()`);
    return this.status();
  }

  async close(): Promise<void> {
    await this.devtools.send('Target.closeTarget', { targetId: this.targetId });
  }
}
