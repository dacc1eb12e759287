import { readContent } from '../../../../../test/support/read-export.js';

const WHEN = 1700000001;

const folder = (title: string, children: readonly object[], fields = {}) => ({
  guid: 'aaaaaaaaaaaa',
  title,
  ...fields,
  dateAdded: WHEN * 1e6,
  typeCode: 2,
  type: 'text/x-moz-place-container',
  children,
});

const place = (title: string, uri: string, fields = {}) => ({
  guid: 'bbbbbbbbbbbb',
  title,
  index: 0,
  dateAdded: WHEN * 1e6,
  id: 5,
  typeCode: 1,
  ...fields,
  type: 'text/x-moz-place',
  uri,
});

const SEPARATOR = {
  guid: 'cccccccccccc',
  title: '',
  typeCode: 3,
  type: 'text/x-moz-place-separator',
};

const backup = (...children: readonly object[]): string =>
  JSON.stringify(
    folder('', [folder('menu', children, { guid: 'menu________', root: 'bookmarksMenuFolder' })], {
      guid: 'root________',
      root: 'placesRoot',
    }),
  );

describe('a backup of Firefox', () => {
  it('becomes items with the tags and the folders of the user', async () => {
    const { format, items, refusals } = await readContent(
      backup(
        place('Ferns', 'https://a.example/', {
          tags: 'plants,shade',
          lastModified: 1.700000002e15,
        }),
        SEPARATOR,
        folder('Walls', [folder('Old', [place('Moss', 'https://b.example/')])]),
        folder('Empty', []),
      ),
    );

    expect(format).toBe('firefox-json');
    expect(items).toEqual([
      {
        url: 'https://a.example/',
        title: 'Ferns',
        tags: ['plants', 'shade'],
        timeAdded: WHEN,
        timeUpdated: WHEN + 1,
      },
      { url: 'https://b.example/', title: 'Moss', tags: ['Walls', 'Old'], timeAdded: WHEN },
    ]);
    expect(refusals).toEqual([]);
  });

  it('reports keywords and descriptions as not imported, and no ids', async () => {
    const { notImported } = await readContent(
      backup(
        place('A', 'https://a.example/', {
          keyword: 'a',
          annos: [
            { name: 'bookmarkProperties/description', flags: 0, type: 3, value: 'words' },
            { name: 'placesInternal/GUID', flags: 0, value: 'x' },
          ],
        }),
      ),
    );

    expect(notImported.fields.map(({ name }) => name)).toEqual([
      'keyword',
      'bookmarkProperties/description',
    ]);
  });

  it('keeps the tags of old versions, which are folders', async () => {
    const { items } = await readContent(
      backup(
        folder('tags', [folder('plants', [place('', 'https://a.example/')])], {
          root: 'tagsFolder',
        }),
      ),
    );

    expect(items).toMatchObject([{ url: 'https://a.example/', tags: ['plants'] }]);
  });

  it('gives the rows before the place where the file breaks off', async () => {
    const text = backup(place('A', 'https://a.example/'), place('B', 'https://b.example/'));

    const { items, refusals } = await readContent(text.slice(0, text.indexOf('https://b')));

    expect(items).toMatchObject([{ url: 'https://a.example/' }]);
    expect(refusals).toMatchObject([
      { place: { line: 2 }, reason: 'The JSON breaks off here: the file is not complete.' },
    ]);
  });

  it('has folders at any depth up to 100', async () => {
    let node: object = place('A', 'https://a.example/');
    for (let depth = 100; depth > 0; depth -= 1) {
      node = folder(`f${depth}`, [node]);
    }

    const { items, refusals } = await readContent(backup(node));

    expect(items[0]?.tags).toHaveLength(100);
    expect(refusals).toEqual([]);
  });
});

// Chrome sorts the keys, so the children of a folder come before its name.
const chromePage = (name: string, url: string, fields = {}) => ({
  date_added: '13344474123456789',
  date_last_used: '0',
  guid: 'g',
  id: '5',
  ...fields,
  name,
  type: 'url',
  url,
});

const chromeFolder = (name: string, children: readonly object[]) => ({
  children,
  date_added: '13344474123456789',
  guid: 'h',
  name,
  type: 'folder',
});

const chromeFile = (roots: object): string => JSON.stringify({ checksum: 'x', roots, version: 1 });

describe('the bookmarks file of Chrome', () => {
  it('becomes items with the folders of the user as tags', async () => {
    const { format, items, refusals, notImported } = await readContent(
      chromeFile({
        bookmark_bar: chromeFolder('Lesezeichenleiste', [
          chromePage('Ferns', 'https://a.example/'),
          chromeFolder('Green', [
            chromeFolder('Walls', [chromePage('Moss', 'https://b.example/')]),
          ]),
        ]),
        other: chromeFolder('Other bookmarks', [chromePage('Bark', 'https://c.example/')]),
      }),
    );

    expect(format).toBe('chrome-json');
    expect(items).toEqual([
      { url: 'https://a.example/', title: 'Ferns', timeAdded: 1700000523 },
      { url: 'https://b.example/', title: 'Moss', tags: ['Green', 'Walls'], timeAdded: 1700000523 },
      { url: 'https://c.example/', title: 'Bark', timeAdded: 1700000523 },
    ]);
    expect(refusals).toEqual([]);
    expect(notImported.fields).toEqual([]);
  });

  it('has the description of Vivaldi as a note, and its trash is refused', async () => {
    const { items, refusals } = await readContent(
      chromeFile({
        bookmark_bar: chromeFolder('Bookmarks', [
          chromePage('A', 'https://a.example/', {
            meta_info: { Description: 'mine', Nickname: 'a' },
          }),
        ]),
        trash: chromeFolder('Trash', [
          chromeFolder('Old', [chromePage('Gone', 'https://b.example/')]),
        ]),
      }),
    );

    expect(items).toMatchObject([{ url: 'https://a.example/', note: 'mine' }]);
    expect(refusals).toMatchObject([{ text: 'Gone', reason: 'The bookmark is in the trash.' }]);
  });
});
