import { partsIn, readContent, readFixture, readZip } from '../support/read-export.js';

const kites = [
  {
    url: 'https://kites.example/box',
    title: 'Box kites',
    tags: ['wind', 'craft'],
    status: 1,
    timeAdded: 1714557600,
    timeUpdated: 1714644000,
    note: 'Buy the **long** line',
  },
  {
    url: 'https://kites.example/knots',
    title: 'Knots for kites',
    status: 0,
    timeAdded: 1711965600,
    timeUpdated: 1711965600,
  },
  {
    url: 'https://kites.example/tails',
    title: 'Tails',
    tags: ['wind'],
    status: 1,
    timeAdded: 1709287200,
    timeUpdated: 1709287200,
  },
];

describe('an import of documents from a service', () => {
  it('reads an API response of linkding, newest first', async () => {
    const { format, items, rows } = await readFixture('linkding-api.json');

    expect(format).toBe('linkding');
    expect(items).toEqual(kites);
    expect(rows).toMatchObject(Array(3).fill({ isFromNewestFirst: true }));
  });

  it('reads the list of an API response of linkding, and does not mistake it for wallabag', async () => {
    const bookmark = { url: 'https://a.example', is_archived: true, tag_names: ['x'] };

    const { format, items } = await readContent(
      JSON.stringify([{ ...bookmark, date_added: '2024-03-01T10:00:00Z', unread: false }]),
    );

    expect(format).toBe('linkding');
    expect(items).toEqual([
      { url: 'https://a.example', tags: ['x'], status: 1, timeAdded: 1709287200 },
    ]);
  });

  it('reads GoodLinks: a page with a read time is archived', async () => {
    const { format, items } = await readFixture('goodlinks.json');

    expect(format).toBe('goodlinks');
    expect(items).toEqual([
      {
        url: 'https://owls.example/calls',
        title: 'Calls of owls',
        tags: ['night', 'birds'],
        status: 1,
        favorite: 1,
        timeAdded: 1712000000,
        timeRead: 1712000300,
        annotations: [
          {
            quote: 'An owl is heard, not seen.',
            note: 'so in our garden',
            createdAt: 1712000200,
          },
          { quote: 'Barn owls hiss.' },
        ],
      },
      {
        url: 'https://owls.example/nests',
        title: 'Nests',
        status: 0,
        favorite: 0,
        timeAdded: 1712000001,
        note: 'for the school',
      },
      {
        url: 'https://owls.example/pellets',
        tags: ['night'],
        status: 0,
        favorite: 0,
        timeAdded: 1712000002,
      },
    ]);
  });

  const charts = {
    tags: ['sea', 'charts'],
    status: 0,
    timeAdded: 1454472306,
  };

  it('reads Pinboard: `description` is the title, and `extended` is the note', async () => {
    const { format, items } = await readFixture('pinboard.json');

    expect(format).toBe('pinboard');
    expect(items).toEqual([
      {
        ...charts,
        url: 'https://maps.example/sea',
        title: 'Sea charts',
        note: 'Compare with the <b>old</b> ones',
      },
      { url: 'https://maps.example/hills', title: 'Hills', status: 1, timeAdded: 1454385906 },
    ]);
  });

  it('reads the XML of Pinboard', async () => {
    const { format, items } = await readFixture('pinboard.xml');

    expect(format).toBe('pinboard-xml');
    expect(items).toEqual([
      {
        ...charts,
        url: 'https://maps.example/sea?a=1&b=2',
        title: 'Sea & charts',
        note: 'Compare them',
      },
      { url: 'https://maps.example/hills', title: 'Hills', timeAdded: 1454385906 },
    ]);
  });

  it('reads the XML of wallabag', async () => {
    const { format, items } = await readFixture('wallabag.xml');

    expect(format).toBe('wallabag-xml');
    expect(items).toEqual([
      {
        number: 41,
        url: 'https://lichens.example/?a=1&b=2',
        title: 'Lichens',
        tags: ['stones', 'green & grey'],
        status: 1,
        favorite: 0,
        timeAdded: 1612519933,
        timeUpdated: 1612606333,
        annotations: [{ quote: 'They grow slowly.', note: 'on our wall', createdAt: 1612520100 }],
      },
      {
        number: 42,
        url: 'https://algae.example/',
        title: 'Algae',
        status: 0,
        favorite: 1,
        timeAdded: 1612573323,
      },
    ]);
  });

  it('reads a wallabag annotation without a quote as the note of the page', async () => {
    const { items } = await readContent(
      JSON.stringify([
        {
          url: 'https://a.example',
          is_archived: 0,
          is_starred: 0,
          annotations: [{ text: 'mine', quote: '', ranges: [] }],
        },
      ]),
    );

    expect(items).toEqual([{ url: 'https://a.example', status: 0, favorite: 0, note: 'mine' }]);
  });

  it('reads the ZIP of Readeck and skips its copies of pages', async () => {
    const { format, rows, refusals } = await readZip(partsIn('readeck-zip'));

    expect(format).toBe('readeck');
    expect(refusals).toEqual([]);
    expect(rows).toEqual([
      {
        place: { path: 'bookmarks/Bm1/info.json', line: 1 },
        item: {
          url: 'https://mills.example/',
          title: 'Windmills',
          tags: ['wind', 'old things'],
          status: 1,
          favorite: 1,
          timeAdded: 1735787045,
          timeUpdated: 1735873445,
          annotations: [
            {
              quote: 'The sails turn to the wind.',
              note: 'ours does not',
              color: 'yellow',
              createdAt: 1735790400,
            },
          ],
        },
      },
      {
        place: { path: 'bookmarks/Bm2/info.json', line: 1 },
        item: {
          url: 'https://wells.example/',
          title: 'Wells',
          status: 0,
          favorite: 0,
          timeAdded: 1738465445,
          timeUpdated: 1738465445,
        },
      },
    ]);
  });

  it('rejects only the user list of Readeck if it contains passwords', async () => {
    const parts = partsIn('readeck-zip').map(({ name, content }) => ({
      name,
      content: String(content).replace('"Password": ""', '"Password": "$2a$10$hash"'),
    }));

    const { format, items, refusals } = await readZip(parts);

    expect(format).toBe('readeck');
    expect(items).toHaveLength(2);
    expect(refusals).toMatchObject([
      { place: { path: 'data.json' }, reason: expect.stringMatching(/contains passwords/) },
    ]);
  });

  it('reads an API response of Readeck', async () => {
    const { format, items } = await readContent(
      JSON.stringify([
        {
          id: 'B',
          href: 'https://readeck.example/api/bookmarks/B',
          url: 'https://a.example',
          title: 'A',
          is_archived: false,
          is_marked: true,
          labels: ['x'],
          created: '2025-01-02T03:04:05Z',
        },
      ]),
    );

    expect(format).toBe('readeck-api');
    expect(items).toEqual([
      {
        url: 'https://a.example',
        title: 'A',
        tags: ['x'],
        status: 0,
        favorite: 1,
        timeAdded: 1735787045,
      },
    ]);
  });
});
