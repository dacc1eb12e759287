import { rmSync } from 'node:fs';
import { join } from 'node:path';

import sharp from 'sharp';

import { parseDocument } from '../../src/lib/extraction/dom.js';
import { compressedText } from '../../src/lib/util/compressed-text.js';
import { binaryFiles } from '../support/binary-files.js';
import { exportCall } from '../support/export-call.js';
import { allTried, savedArticle } from '../support/kept-pictures.js';
import { aVisitor } from '../support/oauth-api.js';
import { PictureSite } from '../support/picture-site.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { storeArticle } from '../support/stored-articles.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let site: PictureSite;
let app: TestApp;
let api: ReadingListApi;

beforeAll(async () => {
  site = await PictureSite.served();
  app = await aTestApp({
    config: {
      ...{ resolverConcurrency: 2, resolveWaitMs: 60_000, keepsPictures: true },
      resolverAllows: { addresses: ['127.0.0.1'], ports: [site.port] },
    },
  });
});
afterAll(async () => {
  await app.close();
  await site.stop();
});
beforeEach(async () => {
  site.isGone = false;
  api = await ReadingListApi.of(app);
});

const exported = async (whose = api): Promise<ReadonlyMap<string, Buffer>> =>
  binaryFiles((await exportCall(app, whose, { format: 'zip' }).expect(200)).body as Buffer);

const textAt = (files: ReadonlyMap<string, Buffer>, path: string): string =>
  files.get(path)!.toString('utf8');
const bodyOf = (files: ReadonlyMap<string, Buffer>, path: string) =>
  parseDocument(textAt(files, path)).body;
const sourcesOf = (files: ReadonlyMap<string, Buffer>, path: string): string[] =>
  [...bodyOf(files, path).querySelectorAll('img')].map((one) => one.getAttribute('src')!);
const namesIn = (files: ReadonlyMap<string, Buffer>, folder: string): string[] =>
  [...files.keys()].filter((path) => path.startsWith(`${folder}/`));
const sizeOf = async (picture: Buffer): Promise<string> => {
  const { width, height, format } = await sharp(picture).metadata();
  return `${format} ${width} × ${height}`;
};

/** Ends the site, and deletes the whole cache of pictures. */
function loseTheSite(): void {
  site.isGone = true;
  rmSync(join(app.config.dataDirectory, 'images'), { recursive: true, force: true });
}

describe('an archive of articles whose site is gone', () => {
  it('contains the articles, each stored picture once, and the list', async () => {
    const one = await savedArticle(api, site.article('one', '/photo.jpg', '/drawing.png'));
    const two = await savedArticle(api, site.article('two', '/photo.jpg'));
    await allTried(app);
    loseTheSite();
    const before = site.asked.length;

    const files = await exported();

    expect([...files.keys()].filter((path) => !path.startsWith('pictures/')).toSorted()).toEqual(
      ['library.jsonl', 'index.html', `articles/${one}.html`, `articles/${two}.html`].toSorted(),
    );
    const [photo, drawing] = sourcesOf(files, `articles/${one}.html`);
    expect(sourcesOf(files, `articles/${two}.html`)).toEqual([photo]);
    expect([photo, drawing]).toEqual([
      expect.stringMatching(/^\.\.\/pictures\/\d+\.jpg$/),
      expect.stringMatching(/^\.\.\/pictures\/\d+\.png$/),
    ]);
    expect(namesIn(files, 'pictures').toSorted()).toEqual(
      [photo!.slice(3), drawing!.slice(3)].toSorted(),
    );
    expect(await sizeOf(files.get(photo!.slice(3))!)).toBe('jpeg 1264 × 843');
    expect(await sizeOf(files.get(drawing!.slice(3))!)).toBe('png 500 × 400');
    expect(bodyOf(files, `articles/${one}.html`).textContent).toContain('Every plain sentence');
    expect(textAt(files, 'library.jsonl')).toMatch(/^\{"satchel":1\}\n\{.*"article":"/);
    expect(textAt(files, 'index.html')).toContain('Nothing is missing.');
    expect(site.asked).toHaveLength(before);
  });

  it('keeps the address of a picture that is not stored, and reports the number', async () => {
    const itemId = await savedArticle(api, site.article('lost', '/broken.jpg', '/drawing.png'));
    await api.saved('https://example.com/unread');
    await allTried(app);

    const files = await exported();

    expect(sourcesOf(files, `articles/${itemId}.html`)).toEqual([
      `${site.url}/broken.jpg`,
      expect.stringMatching(/^\.\.\/pictures\/\d+\.png$/),
    ]);
    const index = bodyOf(files, 'index.html').textContent;
    expect(index).toContain('Pictures that are not stored in Satchel: 1.');
    expect(index).toContain('the page was not fetched or has no text: 1');
  });
});

it('the button of the page downloads the same archive', async () => {
  const visitor = await aVisitor(app, api.user);
  await api.saved('https://example.com/mine');

  const form = await visitor.form('/account/data', '/account/export');
  const { body, headers } = await visitor
    .submit(form, { format: 'zip' })
    .responseType('blob')
    .expect(200);

  expect(headers).toMatchObject({
    ...{ 'content-type': 'application/zip', 'x-content-type-options': 'nosniff' },
    'content-disposition': 'attachment; filename="satchel.zip"',
  });
  expect([...(await binaryFiles(body as Buffer)).keys()]).toEqual(['library.jsonl', 'index.html']);
});

describe('the snapshots in an archive', () => {
  const HOSTILE = '<!doctype html><title>View</title><p>Seen words<script>alert(1)</script>';
  const stored = async (itemId: string, html = HOSTILE): Promise<void> => {
    await api.post('/v3/snapshot', { item_id: itemId, html }).expect(200);
  };

  it('are sanitized files with the id of their item and their day', async () => {
    const itemId = await api.saved('https://example.com/seen', { title: '../../Seen' });
    await stored(itemId);
    await stored(itemId);
    await app.database.query(`UPDATE snapshots SET created_at = '2026-03-04T23:30:00Z'`);

    const files = await exported();

    const paths = [`snapshots/${itemId}-2026-03-04.html`, `snapshots/${itemId}-2026-03-04-2.html`];
    expect(namesIn(files, 'snapshots')).toEqual(paths);
    for (const path of paths) {
      expect(textAt(files, path)).toContain('Seen words');
      expect(textAt(files, path)).not.toContain('<script');
      expect(textAt(files, path)).toContain('Content-Security-Policy');
    }
    const links = [...bodyOf(files, 'index.html').querySelectorAll('a')].map((link) => [
      link.getAttribute('href'),
      link.textContent,
    ]);
    expect(links).toEqual([
      ['https://example.com/seen', 'https://example.com/seen'],
      ...paths.map((path) => [path, 'Snapshot of 4 March 2026']),
    ]);
  });

  it('are reported if they cannot be sanitized', async () => {
    const itemId = await api.saved('https://example.com/deep');
    await stored(itemId);
    const deep = await compressedText('<div>'.repeat(3000));
    await app.database.query(`UPDATE snapshots SET html = $1 WHERE item_id = $2`, [deep, itemId]);

    const files = await exported();

    expect(namesIn(files, 'snapshots')).toEqual([]);
    expect(bodyOf(files, 'index.html').textContent).toContain(
      'Snapshots that could not be made safe to show: 1',
    );
  });
});

describe('an archive with hostile data', () => {
  it('shows titles, tags and addresses as text, and runs no script', async () => {
    const title = "\"><script>alert(1)</script>../../'x'</title>";
    const url = `https://example.com/"'><script>alert(2)</script>/../../up`;
    const itemId = await api.saved(url, { title, tags: '<b>tag</b>,"&' });
    const html = `<p onclick="x()">Words<script>alert(3)</script></p><a href="javascript:alert(4)">link</a>`;
    await storeArticle(app.database, api.user.id, itemId, html);

    const files = await exported();

    expect([...files.keys()].toSorted()).toEqual(
      ['library.jsonl', 'index.html', `articles/${itemId}.html`].toSorted(),
    );
    for (const path of ['index.html', `articles/${itemId}.html`]) {
      const page = textAt(files, path);
      expect(page).not.toMatch(/<script|javascript:|onclick|<b>/i);
      expect(page).toContain(`http-equiv="Content-Security-Policy" content="default-src 'none'`);
      expect(bodyOf(files, path).textContent).toContain(title);
    }
    expect(bodyOf(files, 'index.html').textContent).toContain('<b>tag</b>');
  });

  it('never contains data of another user', async () => {
    const bob = await ReadingListApi.of(app);
    const secret = await bob.saved('https://example.com/secret', { title: 'Secret of Bob' });
    await storeArticle(app.database, bob.user.id, secret, '<p>Secret words</p>');
    await bob.post('/v3/snapshot', { item_id: secret, html: '<p>Secret view' }).expect(200);
    await api.saved('https://example.com/mine');

    const files = await exported();

    expect([...files.keys()]).toEqual(['library.jsonl', 'index.html']);
    expect(Buffer.concat([...files.values()]).toString()).not.toMatch(/secret/i);
    expect([...(await exported(bob)).keys()]).toContain(`articles/${secret}.html`);
  });
});
