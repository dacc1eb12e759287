import type { Response } from 'supertest';

import { PageReader, type ParsedPage } from '../../src/articles/resolver/page-reader.js';
import { aParsedPage } from '../support/a-page.js';
import { until } from '../support/processes.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

/** Limit per user for pages that are queued or being parsed. */
const PLACES = 10;
const SENT = Array.from({ length: PLACES + 2 }, (_, n) => ({
  url: `https://example.com/${n}`,
  html: `Page ${n}`,
}));
const TITLES = SENT.map(({ html }) => html);

/** A reader that waits for `begin`. The title is the markup itself. */
class LateReader extends PageReader {
  begin: () => void = () => undefined;
  private readonly told = new Promise<void>((resolve) => (this.begin = resolve));

  override read(): Promise<never> {
    return new Promise(() => undefined);
  }

  override async readHtml(_url: string, html: string): Promise<ParsedPage> {
    await this.told;
    return aParsedPage(html);
  }
}

let reader: LateReader;
let app: TestApp;
let api: ReadingListApi;

async function start(resolveWaitMs: number): Promise<void> {
  reader = new LateReader();
  app = await aTestApp({ config: { resolveWaitMs }, reader });
  api = await ReadingListApi.of(app);
}
afterEach(() => app.close());

const titles = async (): Promise<unknown[]> =>
  (await api.items()).map((item) => item.resolved_title);
const statusesOf = (answers: readonly Response[]): number[] =>
  answers.map(({ status }) => status).toSorted();

describe('more sent pages than can be parsed at once', () => {
  it('are all stored if no client waits for them', async () => {
    await start(0);

    const answers = await Promise.all(SENT.map((page) => api.add(page)));
    reader.begin();
    await app.database.query('UPDATE sent_pages SET leased_until = now()');

    expect(statusesOf(answers)).toEqual(SENT.map(() => 200));
    await until(async () => {
      const arrived = await titles();
      return TITLES.every((title) => arrived.includes(title));
    }, 'the pages');
  });

  it('return 503 while clients wait for the others, and are stored when they are sent again', async () => {
    await start(600_000);
    const refused: number[] = [];

    const sending = SENT.map(async (page, n) => {
      const answer = await api.add(page);
      if (answer.status === 503) {
        refused.push(n);
      }
      return answer;
    });
    await until(() => refused.length === SENT.length - PLACES, 'the refusals');
    reader.begin();
    const answers = await Promise.all(sending);
    const again = await Promise.all(refused.map((n) => api.add(SENT[n])));

    expect(statusesOf(answers)).toEqual(SENT.map((_, n) => (n < PLACES ? 200 : 503)));
    expect(statusesOf(again)).toEqual([200, 200]);
    expect(await titles()).toEqual(expect.arrayContaining(TITLES));
  });
});
