import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Locator,
  Page,
} from 'playwright-core';

import { launchChromium } from './chromium.js';
import { type FakeVoice, isSpeaking, spokenBy, withFakeSpeech } from './fake-speech.js';
import { until } from './processes.js';
import { logIn } from './reader-browser.js';
import { ReadingListApi } from './reading-list-api.js';
import { storeArticle } from './stored-articles.js';
import { aTestApp, type TestApp } from './test-app.js';

export const VOICES: readonly FakeVoice[] = [
  { name: 'Anna', lang: 'de-DE' },
  { name: 'Samantha', lang: 'en-US' },
  { name: 'Cloud', lang: 'en_GB', isRemote: true },
];

const TALK = `<p>First one. Dr. Ada came<sup><a href="#fn1">1</a></sup> home at 3.14 p.m. and
  <b>slept</b>.</p>
  <pre>let x = 1;</pre>
  <p>The area is 10 m<sup>2</sup>.<sup>3</sup></p>
  <table><tr><td>a</td><td>b</td></tr></table>
  <figure><figcaption>A quiet pier.</figcaption></figure>
  <ol><li>The last one. <a href="#ref1">↩</a></li></ol>`;

const LONG = Array.from(
  { length: 60 },
  (_, at) => `<p>${at} begins. ${'And more. '.repeat(40)}</p>`,
);

export interface Visit {
  /** An article. By default a new one with the title "A talk". */
  readonly id?: string;
  readonly voices?: readonly FakeVoice[];
  readonly needsTap?: boolean;
  /** A script that runs before those of the page. */
  readonly script?: string;
}

type Cookies = Exclude<BrowserContextOptions['storageState'], string | undefined>;

/**
 * Browsers of one user. Each test has its own articles, because a page can store its reading position after the test.
 */
export class Listeners {
  private articles = 0;

  private constructor(
    readonly app: TestApp,
    private readonly api: ReadingListApi,
    private readonly browser: Browser,
    private readonly cookies: Cookies,
  ) {}

  static async started(): Promise<Listeners> {
    const app = await aTestApp();
    const api = await ReadingListApi.of(app);
    const browser = await launchChromium();
    const context = await browser.newContext({ baseURL: app.url });
    await logIn(await context.newPage(), api.user);
    const cookies = await context.storageState();
    await context.close();
    return new Listeners(app, api, browser, cookies);
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.app.close();
  }

  /** Closes all pages. */
  async leave(): Promise<void> {
    await Promise.all(this.browser.contexts().map((context) => context.close()));
  }

  aTalk(): Promise<string> {
    return this.anArticle('A talk', TALK);
  }

  aLongArticle(): Promise<string> {
    return this.anArticle('Long', LONG.join(''));
  }

  /** Returns a new browser in which the user is logged in. */
  context(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    return this.browser.newContext({
      ...options,
      baseURL: this.app.url,
      storageState: this.cookies,
    });
  }

  /** Opens an article in a new browser. */
  async opened(visit: Visit = {}, options: BrowserContextOptions = {}): Promise<Page> {
    const { voices = VOICES, needsTap = false, script = '' } = visit;
    const id = visit.id ?? (await this.aTalk());
    const context = await this.context(options);
    await withFakeSpeech(context, { voices, needsTap });
    await context.addInitScript(script);
    const page = await context.newPage();
    await page.goto(`/read/${id}`);
    return page;
  }

  /** Opens an article in a new browser, and starts to listen. */
  async listening(visit: Visit = {}, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.opened(visit, options);
    await button(page, 'Listen').click();
    await page.getByRole('region', { name: 'Listen' }).waitFor();
    return page;
  }

  /** Saves an item whose page was not fetched. */
  aLink(title: string): Promise<string> {
    this.articles += 1;
    return this.api.saved(`https://example.com/${this.articles}`, { title });
  }

  async anArticle(title: string, html: string): Promise<string> {
    const { database } = this.app;
    this.articles += 1;
    const id = await this.api.saved(`https://example.com/${this.articles}`, { title });
    await storeArticle(database, this.api.user.id, id, html);
    await database.query(`UPDATE items SET lang = 'en', word_count = 50 WHERE item_id = $1`, [id]);
    return id;
  }
}

export const button = (page: Page, name: string): Locator =>
  page.getByRole('button', { name, exact: true });

/** Waits until the page speaks a text. */
export const speaks = (page: Page, text: string): Promise<void> =>
  until(
    async () => (await isSpeaking(page)) && (await spokenBy(page)).at(-1)?.text === text,
    `speech of "${text}"`,
  );
