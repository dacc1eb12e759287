import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import type { Response, Test } from 'supertest';

import { ArticlesService } from '../../src/articles/articles.service.js';
import { EpubService } from '../../src/articles/epub/epub.service.js';
import { CatalogueReader } from '../support/catalogue-reader.js';
import { aVisitor } from '../support/oauth-api.js';
import { type PageVisitor, shownText } from '../support/page-visitor.js';
import { until } from '../support/processes.js';
import { readEpub } from '../support/read-epub.js';
import { storeArticles } from '../support/stored-articles.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { WallabagCaller } from '../support/wallabag-caller.js';

const LIST = '/list/export.epub?state=all';

let app: TestApp;
let ada: WallabagCaller;
let visitor: PageVisitor;
/** Number of books that are held at their first article. */
let held = 0;
let release = (): void => undefined;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  ada = await WallabagCaller.of(app);
  visitor = await aVisitor(app, ada.v3.user);
});
afterEach(() => {
  release();
  jest.restoreAllMocks();
});

/** Stops books at their first article until `release` is called. */
function hold(): void {
  const articles = app.app.get(ArticlesService);
  const { stored } = articles;
  held = 0;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  jest.spyOn(articles, 'stored').mockImplementation(async (userId, item) => {
    held += 1;
    await released;
    held -= 1;
    return stored.call(articles, userId, item);
  });
}

const areHeld = (count: number) => until(() => held === count, `${count} held books`);

/** Supertest only sends the request on `then`. This sends it at once. */
const sent = (test: Test): Promise<Response> => test.responseType('blob').then((answer) => answer);

/** Larger than the buffers of a connection without a reader. */
const MORE_THAN_IS_ON_THE_WAY = 40_000_000;

/** Opens a connection that reads the start of an answer and then stops. */
async function stalledAt({ email, password }: CatalogueReader, path: string): Promise<Socket> {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  const basic = Buffer.from(`${email}:${password}`).toString('base64');
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Basic ${basic}\r\n\r\n`,
  );
  await once(socket, 'readable');
  return socket;
}

const articlesOf = async (answer: Response): Promise<number> => {
  expect(answer.status).toBe(200);
  return (await readEpub(answer.body as Buffer)).chapters.length;
};

describe('an EPUB of many articles', () => {
  it('is limited to one at a time per user; other requests of the same user return 429', async () => {
    const ids = [await ada.v3.saved('https://example.com/a')];
    ids.push(await ada.v3.saved('https://example.com/b'));
    const eve = await WallabagCaller.of(app);
    await eve.v3.saved('https://example.com/c');
    await storeArticles(app.database, ada.v3.user.id);
    await storeArticles(app.database, eve.v3.user.id);
    const other = await aVisitor(app, eve.v3.user);
    const fields = { _csrf: await visitor.csrfToken(), 'item[]': ids };
    hold();
    const first = sent(visitor.open(LIST));
    await areHeld(1);

    const refused = [
      await visitor.open(LIST),
      await visitor.post('/list/export.epub', fields),
      await visitor.open(LIST),
    ];
    const theirs = sent(other.open(LIST));
    await areHeld(2);
    release();

    for (const answer of refused) {
      expect([answer.status, answer.headers['retry-after']]).toEqual([429, '10']);
      expect(answer.headers['content-disposition']).toBeUndefined();
      expect(shownText(answer)).toContain('Another book is still downloading.');
    }
    expect(await articlesOf(await first)).toBe(2);
    expect(await articlesOf(await theirs)).toBe(1);
    expect(await articlesOf(await sent(visitor.open(LIST)))).toBe(2);
    expect(await articlesOf(await sent(visitor.post('/list/export.epub', fields)))).toBe(2);
  });

  it('ends after the current article if the client disconnects, and the user can request another', async () => {
    await ada.v3.saved('https://example.com/a');
    hold();
    const first = visitor.open(LIST);
    const gone = sent(first).catch(() => undefined);
    await areHeld(1);

    first.abort();
    await gone;

    expect((await sent(visitor.open(LIST))).status).toBe(429);
    release();
    await until(async () => (await sent(visitor.open(LIST))).status === 200, 'a book');
  });
});

describe('EPUBs of single articles', () => {
  it('are created two at a time per user, queue more requests, and return 503 if the queue is full', async () => {
    const number = await ada.saved('https://example.com/a');
    const [item] = await ada.v3.items();
    const id = item!.item_id;
    const reader = await CatalogueReader.of(app, ada.v3.user);
    const ways = [
      () => reader.get(`/opds/items/${id}/a.epub`),
      () => visitor.open(`/read/${id}/export.epub`),
      () => ada.get(`entries/${number}/export.epub`),
      () => visitor.open(`/wallabag/export/${number}.epub`),
    ];
    hold();
    const answers: Response[] = [];
    const asked = Array.from({ length: 12 }, async (_, at) => {
      answers.push(await sent(ways[at % ways.length]!()));
    });
    await until(() => answers.length === 2, 'refusals');
    await areHeld(2);
    const refused = [...answers];
    for (const ask of ways) {
      refused.push(await sent(ask()));
    }
    release();
    await Promise.all(asked);

    expect(refused).toHaveLength(6);
    for (const { status, headers, body } of refused) {
      expect([status, headers['retry-after']]).toEqual([503, '1']);
      expect(String(body)).toContain('is busy');
    }
    const made = answers.slice(2);
    expect(await Promise.all(made.map(articlesOf))).toEqual(Array(10).fill(1));
  });

  it('count toward the limit until they are sent, even if the client does not read the response', async () => {
    const id = await ada.v3.saved('https://example.com/a');
    const other = await ada.v3.saved('https://example.com/b');
    const reader = await CatalogueReader.of(app, ada.v3.user);
    const books = app.app.get(EpubService);
    const { ofItem } = books;
    jest.spyOn(books, 'ofItem').mockImplementation(async (userId, row) => {
      const book = await ofItem.call(books, userId, row);
      return row.item_id === id ? { ...book, bytes: Buffer.alloc(MORE_THAN_IS_ON_THE_WAY) } : book;
    });
    const stalled = await Promise.all(
      [1, 2].map(() => stalledAt(reader, `/opds/items/${id}/a.epub`)),
    );
    const answers: Response[] = [];

    const asked = Array.from({ length: 9 }, async () => {
      answers.push(await sent(reader.get(`/opds/items/${other}/b.epub`)));
    });
    await until(() => answers.length === 1, 'a refusal');
    stalled.forEach((socket) => socket.destroy());
    await Promise.all(asked);

    expect(answers.map(({ status }) => status)).toEqual([503, ...Array<number>(8).fill(200)]);
  });

  it('return their headers for HEAD without being created', async () => {
    const number = await ada.saved('https://example.com/a');
    const [item] = await ada.v3.items();
    const made = jest.spyOn(app.app.get(EpubService), 'ofItem');

    for (const path of [`/read/${item!.item_id}/export.epub`, `/wallabag/export/${number}.epub`]) {
      const { status, headers } = await visitor.agent.head(path);
      expect([status, headers['content-disposition']]).toEqual([
        ...[200, 'attachment; filename="https example com a.epub"'],
      ]);
    }

    expect(made).not.toHaveBeenCalled();
  });
});
