import { setTimeout as pause } from 'node:timers/promises';

import type { AddedItemResponse } from '../../src/reading-list/add/add.presenter.js';
import { aFetcher } from '../support/a-fetcher.js';
import { ok, PublicHost } from '../support/public-host.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

// Checks the effects of hostile pages on answers and in PostgreSQL.
let host: PublicHost;
let app: TestApp;
let api: ReadingListApi;
let pages = 0;

beforeAll(async () => {
  host = await PublicHost.start();
  app = await aTestApp({
    config: { resolverConcurrency: 2, resolveWaitMs: 60_000 },
    fetcher: aFetcher(host, { deadlineMs: 60_000, maxHtmlBytes: 12_000_000, maxBytes: 12_000_000 }),
    // Replaces the service's time limit for a whole page. The head, which contains the title, may have to wait for a
    // thread.
    parsers: { pages: { headMs: 60_000 }, documentMs: 60_000 },
  });
  api = await ReadingListApi.of(app);
});
afterAll(async () => {
  await app.close();
  await host.stop();
});
afterEach(() => {
  expect(app.log()).not.toMatch(/"level":(?:50|60|"(?:error|fatal)")|"statusCode":5/);
});

const aUrl = (path = '/'): string => host.url(path, `page${(pages += 1)}.example`);

const added = async (url = aUrl()): Promise<AddedItemResponse> =>
  (await api.add({ url }).expect(200)).body.item as AddedItemResponse;

const WORDS = `<p>${'Words of an ordinary page, with a comma. '.repeat(20)}</p>`.repeat(5);
const page = (body: string, head = ''): string =>
  `<html lang="en"><head><title>A hostile page</title>${head}</head><body>${body}</body></html>`;

/** Checks for NUL, other control characters, and lone surrogates. */
function expectClean(answer: unknown): void {
  const texts: string[] = [];
  JSON.stringify(answer, (_name, value: unknown) => {
    texts.push(...(typeof value === 'string' ? [value] : []));
    return value;
  });
  for (const text of texts) {
    expect(text.isWellFormed()).toBe(true);
    expect(text).not.toMatch(/\p{Cc}/u);
  }
}

/** Adds a page and checks that other calls are answered while it is parsed. */
async function addedBeside(body: string, ...headers: string[]): Promise<AddedItemResponse> {
  const url = aUrl();
  let answered = 0;
  const state = { isAdded: false };
  host.speak((socket) => {
    socket.end(ok(body, ...headers));
  });
  const adding = added(url).finally(() => {
    state.isAdded = true;
  });
  while (!state.isAdded) {
    await api.get({ count: 1 }).expect(200);
    answered += 1;
    // Polls less and less often, since some of these pages take seconds.
    await pause(5 * 2 ** Math.min(answered, 6));
  }
  return adding;
}

describe('a page that is too large or complex', () => {
  it.each<[string, () => string]>([
    ['50,000 nested divs', () => page('<div>'.repeat(50_000) + WORDS)],
    ['an attribute of 2 MB', () => page(`<p title="${'x'.repeat(2_000_000)}">${WORDS}`)],
    ['100,000 links', () => page('<a href="/x">some words of a link</a> '.repeat(100_000))],
    ['a comment without end', () => page(`${WORDS}<!-- ${'x'.repeat(1_000_000)}`)],
    ['a million tags', () => page('<b>x</b>'.repeat(1_000_000))],
    ['3,000,000 brackets', () => page('<'.repeat(3_000_000))],
    ['spaces without end', () => page(`<p>${' \n'.repeat(2_000_000)}${WORDS}`)],
    [
      'laughs',
      () =>
        `<!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>${page(`${'&b;'.repeat(100_000)}${WORDS}`)}`,
    ],
  ])('keeps its title and does not block other calls: %s', async (_what, body) => {
    const item = await addedBeside(body());

    expect(item).toMatchObject({ title: 'A hostile page', response_code: '200' });
    expect((await api.item(item.item_id))?.resolved_title).toBe('A hostile page');
  });

  it('has its title of 10 MB shortened', async () => {
    const item = await addedBeside(`<title>${'Title '.repeat(1_700_000)}</title>${WORDS}`);

    expect(item.title).toMatch(/^(?:Title )+Title/);
    expect(item.title.length).toBeLessThan(1000);
  });

  it.each<[string, string, () => string]>([
    ['text of 10 MB', 'text/plain', () => 'some words of a text '.repeat(480_000)],
    ['feed of lists', 'application/feed+json', () => `{"items":[${'[],'.repeat(3_000_000)}1]}`],
    [
      'feed of 100,000',
      'application/rss+xml',
      () => `<rss><channel>${'<item>x</item>'.repeat(1e5)}`,
    ],
  ])('is accepted as a %s', async (_what, type, body) => {
    expect(await addedBeside(body(), `Content-Type: ${type}`)).toMatchObject({ mime_type: type });
  });
});

describe('a page with invalid characters or encodings', () => {
  const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
  const UTF16 = page(`${WORDS}\ud800`);
  const SAID = '\\u0000Half \\ud83d of\\u0007 a title';
  const LINKED = `<script type="application/ld+json">{"@type":"Article","headline":"${SAID}",
    "description":"${'\\ud800 words of it '.repeat(9)}","image":"/a\\u0000\\ud800.png","inLanguage":"e\\u0000",
    "author":{"name":"Ada\\u0000 \\udc00 Nordin","url":"http://a.example/\\u0000\\ud800"},
    "datePublished":"2024\\u0000-01-01","publisher":{"name":"\\u0000"}}</script>`;

  it.each<[string, Buffer, string]>([
    ['UTF-7 that is none', bytes(page(`+ADw-b+AD4-${WORDS}`)), 'text/html; charset=utf-7'],
    ['UTF-16 that is UTF-8', bytes(page(WORDS)), 'text/html; charset=utf-16'],
    ['UTF-8 that is UTF-16', Buffer.from(UTF16, 'utf16le'), 'text/html; charset=utf-8'],
    ['no charset there is', bytes(page(WORDS)), 'text/html; charset=klingon'],
    ['NULs', bytes(page(`\0${WORDS}`.repeat(50)).replace('hostile', '\0hos\0tile')), 'text/html'],
    ['bytes of no UTF-8', bytes(page(`\xff\xfe\xc0\x80${WORDS}`)), 'text/html; charset=utf-8'],
    ['surrogates in UTF-8', bytes(page(`\xed\xa0\x80${WORDS}`)), 'text/html; charset=utf-8'],
    ['entities', bytes(page(`&#0;&#xd800;&#x1;&#xffff;&#x110000;${WORDS}`)), 'text/html'],
    ['JSON', bytes(page(WORDS, LINKED)), 'text/html'],
    [
      'a player with NULs',
      bytes(page(`<iframe src="https://archive.org/embed/a%00b%ff"></iframe>${WORDS}`)),
      'text/html',
    ],
    [
      'a caption of control characters',
      bytes(
        page(`<figure><img src="/a.png"><figcaption>&#x1;&#x7f;x</figcaption></figure>${WORDS}`),
      ),
      'text/html',
    ],
    ['a cut smile', Buffer.from(page(`<p>${'x'.repeat(249)}😀 and more of it</p>`)), 'text/html'],
    ['a text of NULs', bytes(`A title\0\n\nand\0 \x01 text\xed\xa0\x80`), 'text/plain'],
    [
      'a feed of lies',
      bytes(
        `{"version":"https://jsonfeed.org/version/1","title":"${SAID}","description":"${SAID}"}`,
      ),
      'application/feed+json',
    ],
  ])('is returned and stored as valid text: %s', async (_what, body, type) => {
    host.answer(ok(body, `Content-Type: ${type}`));

    const item = await added();
    const saved = await api.item(item.item_id);

    expect(item).toMatchObject({
      response_code: '200',
      resolved_id: expect.stringMatching(/^[1-9]/),
    });
    expectClean([item, saved]);
    const found = await api.items({ search: item.title });
    expect(found.map(({ item_id }) => item_id)).toContain(item.item_id);
  });

  it.each(['&#x1;&#x2;&#x7f;', '&#x200b;&#x202e; &#xfeff;', ' \n '])(
    'has its URL as title if no character of its title is visible: %s',
    async (title) => {
      host.answer(ok(`<title>${title}</title>${WORDS}`));
      const url = aUrl();

      expect((await added(url)).title).toBe(url);
    },
  );

  it('is returned as valid text or rejected if a client sends its HTML', async () => {
    const { item } = (
      await api.add({ url: aUrl(), html: page(`a\0b${WORDS}`, LINKED) }).expect((answer) => {
        expect([200, 400]).toContain(answer.status);
      })
    ).body;

    expectClean(item);
  });
});

describe('a file that is too large to fetch', () => {
  const GIGABYTE = 1_000_000_000;
  it.each([
    ['image/png', '89504e470d0a1a0a0000000d4948445200000280000001e00806000000', { has_image: '2' }],
    ['application/zip', '504b0304', { has_image: '0' }],
    ['video/mp4', '000000206674797069736f6d', { has_video: '2' }],
  ])('is identified by its first bytes: %s of a gigabyte', async (type, start, shown) => {
    for (const length of [[`Content-Length: ${GIGABYTE}`], []]) {
      let sent = 0;
      host.speak((socket) => {
        socket.write(['HTTP/1.1 200 OK', `Content-Type: ${type}`, ...length, '', ''].join('\r\n'));
        socket.write(Buffer.from(start, 'hex'));
        const more = (): void => {
          while (socket.writable && sent < GIGABYTE && socket.write(Buffer.alloc(65_536))) {
            sent += 65_536;
          }
        };
        socket.on('drain', more);
        more();
      });

      const item = await added(aUrl('/a.file'));

      expect(item).toMatchObject({ ...shown, mime_type: type, title: 'a.file' });
      expect(sent).toBeLessThan(GIGABYTE / 10);
      if (length.length > 0) {
        expect(item.content_length).toBe(String(GIGABYTE));
      }
    }
  });
});

describe('links and media of a hostile page', () => {
  it('contain no script or data URLs', async () => {
    const script = 'java&#10;script:alert(1)';
    const linked = JSON.stringify({
      ...{ '@type': 'Article', image: 'javascript:alert(1)' },
      author: [{ name: 'Ada Nordin', url: 'javascript:alert(1)' }],
    });
    host.answer(
      ok(
        page(
          `<h1>A hostile page</h1><a rel=author href="${script}">Ada Nordin</a><img src="${script}">
           <img src="data:text/html,x"><video src="${script}"></video><iframe src="${script}"></iframe>
           <iframe src="data:text/html,https://www.youtube.com/embed/abcDEF12345"></iframe>
           <object data="${script}.swf"></object><img srcset="${script} 2x">${WORDS}`,
          `<base href="javascript:alert(1)"><meta property=og:image content="${script}">
           <meta property=og:video content="${script}"><meta property=og:type content=video>
           <script type="application/ld+json">${linked}</script>`,
        ),
      ),
    );

    const item = await added();

    expect(Object.values(item.authors)).toMatchObject([{ name: 'Ada Nordin', url: '' }]);
    expect(item.images).toEqual([]);
    expect(JSON.stringify([item, await api.item(item.item_id)])).not.toMatch(/script:|data:/i);
  });
});
