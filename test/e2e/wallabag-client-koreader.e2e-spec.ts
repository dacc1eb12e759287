import { bodyOf, statusOf } from '../support/breaking.js';
import { readEpub } from '../support/read-epub.js';
import { type ReadingListApi, tagsOf } from '../support/reading-list-api.js';
import type { Settings } from '../support/wallabag-clients/device.js';
import { KOReaderPlugin } from '../support/wallabag-clients/koreader-plugin.js';
import { ClientWorld, numbered, pageAt, savePages } from '../support/wallabag-clients/world.js';

let world: ClientWorld;
let v3: ReadingListApi;
let settings: Settings;
let device: KOReaderPlugin;

beforeAll(async () => {
  world = await ClientWorld.begin();
});
afterAll(() => world.end());
beforeEach(async () => {
  ({ v3, settings } = await world.user());
  device = new KOReaderPlugin(settings);
});
afterEach(() => {
  device.device.close();
});

const titlesOn = ({ books }: KOReaderPlugin): string[] =>
  [...books.keys()].map((file) => file.replace(/^\[w-id_\d+\] (.*)\.epub$/, '$1')).toSorted();

const fileOf = (title: string): string =>
  [...device.books.keys()].find((file) => file.endsWith(` ${title}.epub`)) ?? '';

describe('the KOReader plugin', () => {
  it('downloads each unread entry once as a book, and sends pages that were added offline', async () => {
    await savePages(v3, 'one', 'two', 'read');
    await v3.results({ action: 'archive', url: pageAt('read') });
    device.add(pageAt('offline'), 'e-ink, later');

    await device.sync();

    expect(titlesOn(device)).toEqual(['offline', 'one', 'two']);
    for (const book of device.books.values()) {
      expect((await readEpub(book)).chapters).toHaveLength(1);
    }
    const [item] = await v3.items({ tag: 'later', detailType: 'complete' });
    expect([item?.given_url, tagsOf(item)]).toEqual([pageAt('offline'), ['e-ink', 'later']]);
    device.device.sinceLast();
    await device.sync();
    expect(device.device.sinceLast()).toEqual([
      'POST /oauth/v2/token',
      'GET /api/entries.json?archive=0&page=1&perPage=30',
    ]);
  });

  it('reads page after page, up to the configured number of entries', async () => {
    await savePages(v3, ...numbered(25));

    await device.sync({ most: 10 });
    expect(device.books.size).toBe(10);
    await device.sync({ most: 100 });

    expect(titlesOn(device)).toEqual(numbered(25).toSorted());
  });

  it('filters the list by a tag as it was typed, and by starred entries', async () => {
    await savePages(v3, 'one', 'two', 'three');
    await v3.results(
      { action: 'tags_add', url: pageAt('one'), tags: 'long reads' },
      { action: 'favorite', url: pageAt('two') },
    );

    await device.sync({ tag: 'long+reads' });
    expect(titlesOn(device)).toEqual(['one']);
    await device.sync({ isStarred: true });

    expect(titlesOn(device)).toEqual(['one', 'two']);
  });

  it('archives or deletes finished books by the id in the file name', async () => {
    await savePages(v3, 'archived', 'deleted', 'begun');
    await device.sync();

    await device.finish(fileOf('archived'), { review: 'long read, über' });
    await device.finish(fileOf('deleted'), { isToBeDeleted: true });

    expect(titlesOn(device)).toEqual(['begun']);
    expect(await v3.names({ state: 'unread' })).toEqual(['begun']);
    const [item, ...others] = await v3.items({ state: 'archive', detailType: 'complete' });
    expect([tagsOf(item), others]).toEqual([['long read', 'über'], []]);
  });

  it('receives 404 for a finished book whose entry is deleted, and continues with the next one', async () => {
    await savePages(v3, 'gone', 'there');
    await device.sync();
    const { books } = device;
    const [gone, there] = [fileOf('gone'), fileOf('there')];
    await v3.results({ action: 'delete', url: pageAt('gone') });

    await expect(device.finish(gone)).rejects.toMatchObject({ status: 404 });
    await device.finish(there);

    expect([...books.keys()]).toEqual([gone]);
    expect(await v3.names({ state: 'archive' })).toEqual(['there']);
  });

  it('logs in at each sync, and receives 400 for a wrong password', async () => {
    const wrong = new KOReaderPlugin({ ...settings, password: 'wrong' });
    await expect(wrong.sync()).rejects.toMatchObject({ status: 400 });
    wrong.device.close();
    await savePages(v3, 'one');
    for (let round = 0; round < 3; round += 1) {
      await world.expireTokens(v3, 'all');
      await device.sync();
    }

    expect(titlesOn(device)).toEqual(['one']);
  });

  it.each([
    [
      'a title that is null',
      bodyOf(({ _embedded }) => {
        for (const entry of _embedded?.items ?? []) {
          entry.title = null;
        }
      }),
      /title: text expected/,
    ],
    ['201 for a success', statusOf(200, 201), /status 201/],
  ])('cannot read a response with %s', async (_, breakage, reason) => {
    await savePages(v3, 'one');
    const other = new KOReaderPlugin(world.broken(settings, breakage));

    await expect(other.sync()).rejects.toThrow(reason);
    other.device.close();
  });
});
