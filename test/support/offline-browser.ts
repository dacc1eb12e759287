import type { Browser, BrowserContext, Page } from 'playwright-core';

import { launchChromium } from './chromium.js';
import { aDatabaseProxy, type DatabaseProxy } from './database-proxy.js';
import { until } from './processes.js';
import { logIn } from './reader-browser.js';
import { ReadingListApi } from './reading-list-api.js';
import type { TestApp } from './test-app.js';

/** A browser whose network can be cut, with the service worker of the reader. */
export class OfflineBrowser {
  private constructor(
    private readonly app: TestApp,
    private readonly browser: Browser,
    readonly network: DatabaseProxy,
  ) {}

  static async launched(app: TestApp): Promise<OfflineBrowser> {
    return new OfflineBrowser(app, await launchChromium(), await aDatabaseProxy(app.url));
  }

  /** Logs in a user with some articles, and opens the list. The service worker controls the page. */
  async reader(api?: ReadingListApi): Promise<OfflineReader> {
    this.network.become('open');
    const context = await this.browser.newContext({ baseURL: this.network.url });
    const page = await context.newPage();
    const user = api ?? (await ReadingListApi.of(this.app));
    const reader = new OfflineReader(user, context, page, this.network);
    await reader.logIn();
    return reader;
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.network.close();
  }
}

interface SentForm {
  readonly status: number;
  readonly waiting?: boolean;
}

/** A user in a browser whose network can be cut. */
export class OfflineReader {
  constructor(
    readonly api: ReadingListApi,
    readonly context: BrowserContext,
    readonly page: Page,
    private readonly network: DatabaseProxy,
  ) {}

  async logIn(): Promise<void> {
    await logIn(this.page, this.api.user);
    await until(
      () => this.page.evaluate<boolean>('navigator.serviceWorker.controller !== null'),
      'the service worker',
    );
  }

  /** The proxy also refuses connections, because Chromium may leave an offline context's service worker connected. */
  async setOffline(isOffline: boolean): Promise<void> {
    this.network.become(isOffline ? 'refusing' : 'open');
    await this.context.setOffline(isOffline);
    await until(() => this.isKnownToWorkers(isOffline), 'the service worker to see the network');
  }

  /** The browser tells a running service worker later than the page. The worker decides some requests by it. */
  private async isKnownToWorkers(isOffline: boolean): Promise<boolean> {
    const states = this.context.serviceWorkers().map((worker) =>
      // A worker that stops now is told when it starts again.
      worker.evaluate<boolean>('navigator.onLine').catch(() => !isOffline),
    );
    return (await Promise.all(states)).every((isOnline) => isOnline === !isOffline);
  }

  /** Waits until the browser has cached the pages. */
  async kept(...paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      await until(() => this.isKept(path), `${path} in the cache`);
    }
  }

  isKept(path: string): Promise<boolean> {
    return this.page.evaluate<boolean>(
      `caches.match(${JSON.stringify(path)}).then((found) => found !== undefined)`,
    );
  }

  /** Sends a form as a script of the open page does. `waiting` is true if the service worker has queued the form. */
  sent(path: string, fields: Readonly<Record<string, string>>): Promise<SentForm> {
    return this.page.evaluate<SentForm>(`{
      const _csrf = document.querySelector('[name=_csrf]').value;
      const body = new URLSearchParams({ _csrf, ...${JSON.stringify(fields)} });
      fetch('${path}', { method: 'POST', headers: { Accept: 'application/json' }, body }).then(
        async (response) => ({ status: response.status, ...(await response.json()) }),
      );
    }`);
  }

  get heading(): Promise<string> {
    return this.page.getByRole('heading', { level: 1 }).innerText();
  }

  /** Returns the text of the notice about the network and about queued changes. */
  get notice(): Promise<string> {
    return this.page.locator('.notice.offline').innerText();
  }
}
