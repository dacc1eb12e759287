import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ApplicationPasswords } from '../../src/auth/consumers/application-passwords.service.js';
import { Permission } from '../../src/auth/consumers/permission.js';
import { UserRepository } from '../../src/auth/user.repository.js';
import { describeClient } from '../support/client-source.js';
import { KOREADER, KOReader } from '../support/koreader.js';
import { PictureSite } from '../support/picture-site.js';
import { until } from '../support/processes.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

/** More than two pages of a feed, and more than a screen on the device. */
const SAVED = 65;

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

/** Adds the catalog on the device: name, address, user and application password. */
async function addCatalogue(password: string): Promise<void> {
  await device.do({ action: 'event', name: 'ShowOPDSCatalog' });
  await device.do({ action: 'corner' });
  await device.tap('Add catalog');
  await device.type('Satchel', `${app.url}/opds`, api.user.email, password);
  await device.tap('Save');
}

const select = (text: string) => device.do({ action: 'select', text });

/** Scrolls to the end of a list, which the device fetches page by page. */
async function whole(text: string): Promise<readonly string[]> {
  let { list } = await select(text);
  for (let before = 0; list.length > before;) {
    before = list.length;
    ({ list } = await device.do({ action: 'page' }));
  }
  return list;
}

/** Words can only be found a moment after the page was fetched. */
const indexed = () =>
  until(async () => (await app.database.query('SELECT FROM due_texts')).length === 0);

const isEpub = (name: string): boolean =>
  readFileSync(join(device.books, name)).subarray(30, 58).toString() ===
  'mimetypeapplication/epub+zip';

describeClient("KOReader's OPDS catalogue", KOREADER, (source) => {
  beforeEach(async () => {
    api = await ReadingListApi.of(app);
    device = await KOReader.with(source, 'opds');
    const details = { name: 'KOReader', permissions: [Permission.Retrieve] };
    const user = await app.app.get(UserRepository).findOneByOrFail({ id: api.user.id });
    await addCatalogue(await app.app.get(ApplicationPasswords).create(user, details));
  });
  afterEach(async () => {
    await device.close();
  });

  const save = async (count: number, members: object = {}): Promise<void> => {
    const urls = Array.from({ length: count }, (_, n) => site.article(`article-${n}`));
    await api.results(...urls.map((url) => ({ action: 'add', url, ...members })));
    for (const url of urls) {
      await api.post('/v3/text', { url }).expect(200);
    }
  };

  it('shows the catalog and all pages of a list', async () => {
    await save(SAVED);

    expect((await select('Satchel')).list.length).toBeGreaterThan(3);
    const titles = await whole('Unread');

    expect(new Set(titles).size).toBe(SAVED);
    expect((await device.do({ action: 'back' })).list).toContain('Unread');
  });

  it('downloads an article', async () => {
    await save(1);
    await select('Satchel');
    await select('Unread');

    await select('Article');
    await device.tap('EPUB');

    expect(device.files().map(isEpub)).toEqual([true]);
    expect(await api.items({ state: 'unread' })).toHaveLength(1);
  });

  it('finds an article by a search', async () => {
    await save(3);
    await indexed();
    await select('Satchel');
    await device.do({ action: 'corner' });
    await device.tap('\u{f002}');
    await device.type('article-2');

    expect((await device.tap('Search')).list).toEqual([expect.stringContaining('article-2')]);
  });

  it('shows an authentication error for a wrong password', async () => {
    await device.close();
    device = await KOReader.with(source, 'opds');
    await addCatalogue('abcd-efgh-ijkl-mnop');

    const { shown } = await select('Satchel');

    expect(shown.join()).toContain('Authentication required for catalog');
  });
});
