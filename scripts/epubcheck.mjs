// Writes articles as books and checks them with epubcheck (https://www.w3.org/publishing/epubcheck/; `apt-get install
// epubcheck`). For each ground truth page in DIR (contents: docs/research/resolving.md), it checks the article and the whole
// body as an article. It also checks hostile articles.
//   node scripts/epubcheck.mjs --data DIR [--every N] [--in-book 50] [--keep FOLDER]
import 'reflect-metadata';

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createWriteStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs, promisify } from 'node:util';

import { decodeHTML } from 'entities';
import sharp from 'sharp';

import { htmlOf, readTruth } from '../bench/extract/truth.mjs';
import { EpubService } from '../dist/src/articles/epub/epub.service.js';
import { EpubTemplates } from '../dist/src/articles/epub/epub-templates.js';
import { ArticleReader } from '../dist/src/articles/reading/article-reader.js';
import { extractPage } from '../dist/src/lib/extraction/extract-page.js';
import { sanitisedHtml } from '../dist/src/lib/extraction/text/article-html.js';
import { rowWithDefaults } from '../dist/src/platform/database/entity-columns.js';
import { ShownItem } from '../dist/src/reading-list/entities/item.entity.js';
import { HOSTILE_ARTICLES } from './hostile-articles.mjs';

const { values: given } = parseArgs({
  options: {
    data: { type: 'string' },
    every: { type: 'string', default: '1' },
    'in-book': { type: 'string', default: '50' },
    keep: { type: 'string' },
  },
});

const CHECKER = process.env['EPUBCHECK_JAR'] ?? '/usr/share/java/epubcheck.jar';
const NOW = 1_700_000_000;
const run = promisify(execFile);
const folder = given.keep ?? mkdtempSync(join(tmpdir(), 'satchel-epubcheck-'));
mkdirSync(folder, { recursive: true });

const opened = (number, { html, page = {}, url, tags = [] }) => {
  const media = {
    authors: (page.authors ?? []).map((author, at) => ({ id: String(at + 1), ...author })),
    images: page.images ?? [],
    videos: page.videos ?? [],
  };
  const item = rowWithDefaults(ShownItem, {
    ...{ item_id: String(number), time_added: String(NOW), time_updated: String(NOW) },
    ...{ given_url: url, resolved_id: '1', resolved_url: url, resolved_title: page.title ?? '' },
    ...{ lang: page.lang ?? '', word_count: page.wordCount ?? 0, tags, media },
    top_image_url: page.topImage ?? '',
  });
  const facts = { datePublished: page.datePublished?.toISOString() ?? null };
  const read = { pageId: '1', readAt: new Date(NOW * 1000), firstReadAt: new Date(NOW * 1000) };
  return { item, isWaiting: false, page: { ...read, html, page: { item: { media }, facts } } };
};

const IMAGE = /<img [^>]*?src="([^"]+)"/g;

const truth = given.data === undefined ? [] : readTruth(given.data, { every: Number(given.every) });
function* articles() {
  for (const [at, page] of truth.entries()) {
    const url = page.url ?? 'https://example.com/';
    const html = htmlOf(page);
    const found = extractPage({ html, url });
    const article = { html: found.articleHtml || undefined, page: found };
    yield opened(at + 1, { ...article, url, tags: ['one', 'two & three'] });
    const body = sanitisedHtml(html, url);
    const images = [...new Set(Array.from(body.matchAll(IMAGE), ([, src]) => decodeHTML(src)))];
    const pictures = images.slice(0, 100).map((src) => ({ src }));
    yield opened(100_000 + at, { html: body, page: { ...found, images: pictures }, url });
  }
  for (const [at, { html, ...page }] of HOSTILE_ARTICLES.entries()) {
    yield opened(1_000_000 + at, { html, page, url: page.url ?? 'https://example.com/hostile' });
  }
}

const colour = { width: 40, height: 30, channels: 3, background: '#c04020' };
const picture = await sharp({ create: colour }).jpeg().toBuffer();
let asked = 0;
/** Every fifth picture is missing, as can happen in practice. */
const images = {
  findWithin: () =>
    Promise.resolve((asked += 1) % 5 === 0 ? undefined : { type: 'image/jpeg', bytes: picture }),
};
/** Books are written in the default language. */
const users = { findOneBy: () => Promise.resolve(null) };
const stored = new Map();
const service = new EpubService(
  {
    open: (_user, itemId) => Promise.resolve(stored.get(itemId)),
    stored: (_user, { item_id: itemId }) => Promise.resolve(stored.get(itemId)),
  },
  new ArticleReader(),
  images,
  new EpubTemplates(users),
);

async function* rowsOf(items) {
  for (const { item } of items) yield item;
}

const books = [];
async function write(items) {
  items.forEach((one) => stored.set(one.item.item_id, one));
  const path = join(folder, `book-${books.length + 1}.epub`);
  if (items.length === 1) {
    const { bytes } = await service.ofItem('1', items[0].item);
    writeFileSync(path, bytes);
  } else {
    const book = service.stream('1', rowsOf(items), { title: `Book ${books.length + 1}` });
    await pipeline(book, createWriteStream(path));
  }
  stored.clear();
  books.push(path);
}

let count = 0;
let batch = [];
for (const article of articles()) {
  count += 1;
  batch.push(article);
  if (batch.length === Number(given['in-book'])) {
    await write(batch);
    batch = [];
  }
  if (count % 25 === 0) await write([article]);
}
if (batch.length > 0) await write(batch);
await write([opened(1, { html: undefined, url: 'not an address' })]);

console.log(`${count} articles in ${books.length} books`);
let failed = 0;
for (const path of books) {
  const checked = run('java', ['-jar', CHECKER, path], { maxBuffer: 1e9 });
  const { stdout, stderr } = await checked.catch((error) => error);
  const report = `${stdout}\n${stderr}`;
  if (!report.includes('Messages: ')) throw new Error(`epubcheck did not run: ${report}`);
  const lines = report.split('\n').filter((line) => /^(?:ERROR|FATAL|WARNING)/.test(line));
  if (lines.length > 0) {
    failed += 1;
    console.log(`${path}:\n  ${lines.slice(0, 20).join('\n  ')}`);
  }
}
console.log(`epubcheck has something to say of ${failed} of ${books.length} books`);
if (given.keep === undefined) rmSync(folder, { recursive: true });
process.exit(failed === 0 ? 0 : 1);
