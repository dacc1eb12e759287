import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Permission } from '../../src/auth/consumers/permission.js';
import { describeClient } from '../support/client-source.js';
import { KOREADER, KOReader, type Screen } from '../support/koreader.js';
import { PictureSite } from '../support/picture-site.js';
import { ReadingListApi, tagsOf } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { WallabagApi } from '../support/wallabag-api.js';

const DOWNLOADS = ['Settings', 'Download settings'];

let site: PictureSite;
let app: TestApp;
let api: ReadingListApi;
let device: KOReader;

beforeAll(async () => {
  site = await PictureSite.served();
  app = await aTestApp({
    config: {
      ...{ resolverConcurrency: 4, resolveWaitMs: 60_000 },
      resolverAllows: { addresses: ['127.0.0.1'], ports: [site.port] },
    },
  });
});
afterAll(async () => {
  await app.close();
  await site.stop();
});

const last = ({ shown }: Screen): string => shown.at(-1) ?? '';

/** Saves articles by the v3 API and waits until their pages are fetched. */
async function saveArticles(...names: readonly string[]): Promise<string[]> {
  const urls = names.map((name) => site.article(name, '/photo.jpg'));
  await api.results(...urls.map((url) => ({ action: 'add', url })));
  for (const url of urls) {
    await api.post('/v3/text', { url }).expect(200);
  }
  return urls;
}

/** A file is an EPUB if its first entry says so, uncompressed (OCF 3.3, section 4.3). */
const isEpub = (name: string): boolean =>
  readFileSync(join(device.books, name)).subarray(30, 58).toString() ===
  'mimetypeapplication/epub+zip';

async function typeServer(client: WallabagApi, password: string): Promise<void> {
  await device.menu('Settings', 'Configure Wallabag server');
  const { client_id, client_secret } = client.credentials;
  await device.type(`${app.url}/wallabag/`, client_id, client_secret, api.user.email, password);
  await device.tap('Apply');
}

const set = async (value: string, button: string, ...path: readonly string[]): Promise<void> => {
  await device.menu(...path);
  await device.type(value);
  await device.tap(button);
};

const sync = (): Promise<Screen> => device.do({ action: 'event', name: 'SynchronizeWallabag' });

const closeBook = (name: string, notes: object): Promise<Screen> =>
  device.do({ action: 'read', file: join(device.books, name), percent: 0.4, ...notes });

const oneBook = (part: string): string => device.files().find((name) => name.includes(part))!;

describeClient("KOReader's wallabag plugin", KOREADER, (source) => {
  beforeEach(async () => {
    api = await ReadingListApi.of(app);
    device = await KOReader.with(source, 'wallabag');
    await typeServer(await WallabagApi.of(app), api.user.password);
    await device.menu(...DOWNLOADS, 'Download folder');
  });
  afterEach(async () => {
    await device.close();
  });

  it('downloads each unread article once as EPUB', async () => {
    await saveArticles('one', 'two', 'three');

    expect(last(await sync())).toBe('Sync finished:\n- downloaded: 3\n- skipped: 0');
    expect(device.files()).toEqual([
      expect.stringMatching(/^\[w-id_\d+\] .*one.*\.epub$/),
      expect.stringMatching(/^\[w-id_\d+\] .*two.*\.epub$/),
      expect.stringMatching(/^\[w-id_\d+\] .*three.*\.epub$/),
    ]);
    expect(device.files().filter(isEpub)).toHaveLength(3);
    expect(last(await sync())).toBe('Sync finished:\n- downloaded: 0\n- skipped: 3');
  });

  it('uploads an article that was saved offline, with its tags', async () => {
    await set('reader, e-ink', 'Save', 'Settings', 'Tags to add to new articles');
    await device.do({ action: 'network', online: false });
    const url = site.article('offline');
    await device.do({ action: 'event', name: 'AddWallabagArticle', argument: url });
    await device.do({ action: 'network', online: true });

    expect(last(await sync())).toContain('- added from queue: 1\n- downloaded: 1');

    const [item] = await api.items({ detailType: 'complete' });
    expect([item!.given_url, tagsOf(item)]).toEqual([url, ['e-ink', 'reader']]);
  });

  it('downloads an EPUB for a page that cannot be fetched', async () => {
    await device.do({
      ...{ action: 'event', name: 'AddWallabagArticle' },
      argument: `http://127.0.0.1:${site.port}/gone`,
    });

    expect(last(await sync())).toBe('Sync finished:\n- downloaded: 1\n- skipped: 0');
    expect(device.files().map(isEpub)).toEqual([true]);
  });

  it('archives finished articles and removes their files', async () => {
    await saveArticles('finished', 'begun');
    await sync();
    await closeBook(oneBook('finished'), { status: 'complete' });
    await closeBook(oneBook('begun'), { status: 'reading' });

    expect(last(await device.menu('Upload article statuses'))).toBe(
      'Upload finished:\n- archived on Wallabag: 1\n- deleted from KOReader: 1',
    );

    expect(device.files()).toEqual([expect.stringContaining('begun')]);
    expect(await api.items({ state: 'archive' })).toEqual([
      expect.objectContaining({ given_url: expect.stringContaining('finished'), status: '1' }),
    ]);
    expect(await api.items({ state: 'unread' })).toHaveLength(1);
  });

  it('deletes finished articles if this is enabled', async () => {
    await saveArticles('finished');
    await sync();
    await device.menu('Settings', 'Remote mark-as-read settings', 'Delete instead');
    await closeBook(oneBook('finished'), { status: 'complete' });

    expect(last(await device.menu('Upload article statuses'))).toContain(
      '- deleted from Wallabag: 1',
    );

    expect([device.files(), await api.items({ state: 'all' })]).toEqual([[], []]);
  });

  it('sends the review of a book as tags', async () => {
    await saveArticles('reviewed');
    await sync();
    await device.menu('Settings', 'Send review as tags');
    await closeBook(oneBook('reviewed'), { status: 'reading', note: 'long read, über' });

    await device.menu('Upload article statuses');

    const [item] = await api.items({ detailType: 'complete' });
    expect(tagsOf(item)).toEqual(['long read', 'über']);
  });

  it('removes the files of articles that are archived or deleted elsewhere', async () => {
    const [archived, deleted] = await saveArticles('archived', 'deleted', 'kept');
    await device.menu('Settings', 'Local file removal', 'Delete remotely archived');
    await sync();
    await api.results({ action: 'archive', url: archived }, { action: 'delete', url: deleted });

    expect(last(await sync())).toBe(
      'Sync finished:\n- downloaded: 0\n- skipped: 1\n- deleted from KOReader: 2',
    );
    expect(device.files()).toEqual([expect.stringContaining('kept')]);
  });

  it('downloads the articles of one tag, except those with an ignored tag', async () => {
    const [first, second] = await saveArticles('tagged', 'ignored', 'other');
    await api.results(
      { action: 'tags_add', url: first, tags: 'long reads' },
      { action: 'tags_add', url: second, tags: 'long reads,boring' },
    );
    await set('long+reads', 'Save', ...DOWNLOADS, 'Only download articles with tag');
    await set('boring', 'Save', ...DOWNLOADS, 'Do not download articles with tags');

    expect(last(await sync())).toContain('- downloaded: 1');
    expect(device.files()).toEqual([expect.stringContaining('tagged')]);
  });

  it('downloads only favorites', async () => {
    const [favorite] = await saveArticles('favorite', 'other');
    await api.results({ action: 'favorite', url: favorite });
    await device.menu(...DOWNLOADS, 'Only download starred');

    await sync();

    expect(device.files()).toEqual([expect.stringContaining('favorite')]);
  });

  it('downloads the configured number of articles, up to 100', async () => {
    await saveArticles(...Array.from({ length: 100 }, (_, n) => `of-many-${n}`));
    await set('7', 'Apply', ...DOWNLOADS, 'Number of articles');
    expect(last(await sync())).toBe('Sync finished:\n- downloaded: 7\n- skipped: 0');
    await set('100', 'Apply', ...DOWNLOADS, 'Number of articles');

    expect(last(await sync())).toBe('Sync finished:\n- downloaded: 93\n- skipped: 7');
    expect(device.files().filter(isEpub)).toHaveLength(100);
  });

  it('shows an error for a wrong password', async () => {
    await typeServer(await WallabagApi.of(app), 'a wrong one');

    expect((await sync()).shown).toContain('Could not login to Wallabag server.');
  });

  it('downloads with a read-only client, but cannot archive articles with it', async () => {
    await saveArticles('finished');
    await typeServer(
      await WallabagApi.of(app, { permissions: [Permission.Retrieve] }),
      api.user.password,
    );
    await sync();
    await closeBook(oneBook('finished'), { status: 'complete' });

    const { shown } = await device.menu('Upload article statuses');

    expect(shown).toContain('Communication with server failed.');
    expect(device.files()).toHaveLength(1);
    expect(await api.items({ state: 'unread' })).toHaveLength(1);
  });

  it('reports an empty list', async () => {
    expect((await sync()).shown).toContain('Requesting article list did not return anything.');
  });
});
