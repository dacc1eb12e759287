import { partsIn, readContent, readFixture, readZip } from '../support/read-export.js';

const SORREL = {
  url: 'https://garden.example/sorrel',
  title: 'Growing sorrel, and eating it',
};

describe('an import from Pocket', () => {
  it('reads a ZIP: first its parts, then annotations, then collections', async () => {
    const { format, rows } = await readZip(partsIn('pocket-zip'));

    expect(format).toBe('pocket-zip');
    expect(rows).toEqual([
      {
        place: { path: 'part_000000.csv', line: 2 },
        item: { ...SORREL, tags: ['herbs', 'spring kitchen'], status: 0, timeAdded: 1695851847 },
      },
      {
        place: { path: 'part_000000.csv', line: 3 },
        item: { url: 'https://moon.example/phases', status: 1, timeAdded: 1695850000 },
      },
      {
        place: { path: 'part_000000.csv', line: 4 },
        item: {
          url: 'https://roof.example/?a=1&b=2',
          title: 'A title\nin two "lines"',
          tags: ['roof'],
          status: 1,
          timeAdded: 1695840000,
        },
      },
      {
        place: { path: 'part_000001.csv', line: 2 },
        item: {
          url: 'https://bees.example/balcony',
          title: 'Beehives on balconies',
          tags: ['bees'],
          status: 0,
          timeAdded: 1600000000,
        },
      },
      {
        place: { path: 'annotations/part_000000.json', line: 1 },
        addsToOthers: true,
        item: {
          ...SORREL,
          annotations: [
            { quote: 'Cut the leaves while they are young.', createdAt: 1695851900 },
            { quote: 'It comes back every year.' },
          ],
        },
      },
      {
        place: { path: 'collections/winter-reading.json', line: 1 },
        addsToOthers: true,
        item: {
          url: 'https://moon.example/phases',
          title: 'The phases of the moon',
          tags: ['Winter reading long'],
          folders: { paths: ['Winter reading long'], otherTags: [] },
          note: 'Read this one first',
        },
      },
      {
        place: { path: 'collections/winter-reading.json', line: 2 },
        addsToOthers: true,
        item: {
          url: 'https://stove.example/tiles',
          title: 'Tiled stoves',
          tags: ['Winter reading long'],
          folders: { paths: ['Winter reading long'], otherTags: [] },
        },
      },
    ]);
  });

  it('reads parts in the order of their numbers, from any folder', async () => {
    const part = (name: string) => ({
      name,
      content: `title,url,time_added,tags,status\n,https://${name.length}.example,1,,unread\n`,
    });

    const { rows } = await readZip([
      { name: 'pocket/annotations/a.json', content: '[]' },
      part('pocket/part_10.csv'),
      part('pocket/part_9.csv'),
    ]);

    expect(rows.map(({ place }) => place.path)).toEqual([
      'pocket/part_9.csv',
      'pocket/part_10.csv',
    ]);
  });

  it('reads a single part', async () => {
    const { format, items } = await readFixture('pocket.csv');

    expect(format).toBe('pocket-csv');
    expect(items).toHaveLength(3);
    expect(items[1]).toEqual({
      url: 'https://moon.example/phases',
      status: 1,
      timeAdded: 1695850000,
    });
  });

  it('reads the older HTML format with the states from its headings', async () => {
    const { format, rows } = await readFixture('ril_export.html');

    expect(format).toBe('pocket-html');
    expect(rows).toEqual([
      {
        place: { path: '', line: 1 },
        isFromNewestFirst: true,
        item: {
          url: 'https://tea.example/?a=1&b=2',
          title: 'Tea & patience',
          tags: ['tea', 'slow mornings'],
          status: 0,
          timeAdded: 1695851847,
        },
      },
      {
        place: { path: '', line: 2 },
        isFromNewestFirst: true,
        item: { url: 'https://kites.example/', status: 0, timeAdded: 1695851000 },
      },
      {
        place: { path: '', line: 3 },
        isFromNewestFirst: true,
        item: {
          url: 'https://maps.example/old',
          title: 'Old maps',
          tags: ['maps'],
          status: 1,
          timeAdded: 1500000000,
        },
      },
    ]);
  });
});

describe('an import of an API response of Pocket', () => {
  const bells = {
    url: 'http://bells.example/?p=24',
    title: 'How bells are cast',
    tags: ['bronze', '2 read'],
    status: 1,
    favorite: 1,
    timeAdded: 1464715504,
    timeUpdated: 1569145019,
    timeRead: 1569145000,
    timeFavorited: 1464715600,
    annotations: [
      {
        annotationId: '5f0c2f6e-0b4c-4a53-9d0c-6f6d2a9d7a11',
        quote: 'The mould is of clay.',
        patch: '@@ -1,3 +1,4 @@\n a',
        version: '2',
        createdAt: 1569145019,
      },
    ],
  };

  it('keeps all fields of an item, and rejects deleted items', async () => {
    const { format, rows } = await readFixture('pocket-api.json');

    expect(format).toBe('pocket-api');
    expect(rows).toEqual([
      { place: { path: '', line: 1 }, isFromNewestFirst: true, item: bells },
      {
        place: { path: '', line: 2 },
        isFromNewestFirst: true,
        item: {
          url: 'https://reeds.example/',
          title: 'Thatching with reeds',
          status: 0,
          favorite: 0,
          timeAdded: 1647342314,
          timeUpdated: 1647342316,
        },
      },
      {
        place: { path: '', line: 3 },
        reason: 'It was deleted before the file was made.',
        text: '1042711295',
      },
    ]);
  });

  it.each([
    ['a list', (item: object) => ({ status: 1, list: [item], since: 1 })],
    ['a list by itself', (item: object) => [item]],
  ])('reads %s', async (_, wrapped) => {
    const item = { item_id: 7, given_url: 'https://a.example', favorite: 1, tags: 'x, y' };

    const { format, items } = await readContent(JSON.stringify(wrapped(item)));

    expect(format).toBe('pocket-api');
    expect(items).toEqual([{ url: 'https://a.example', status: 0, favorite: 1, tags: ['x', 'y'] }]);
  });

  it('reads an empty list', async () => {
    const { format, rows } = await readContent('{"status":2,"complete":1,"list":[],"since":1}');

    expect({ format, rows }).toEqual({ format: 'pocket-api', rows: [] });
  });
});
