import { partsIn, readContent, readFixture, readZip } from '../support/read-export.js';

const NOT_A_LINK = 'This entry is not a link.';

describe('an import from a read-later service', () => {
  it('reads Instapaper: built-in folders become states, other folders become tags', async () => {
    const { format, items, refusals } = await readFixture('instapaper.csv');

    expect(format).toBe('instapaper');
    expect(items).toEqual([
      {
        url: 'https://ferns.example/',
        title: 'Ferns in the shade',
        tags: ['plants', 'shade deep'],
        annotations: [{ quote: 'They want no sun.' }],
        status: 0,
        timeAdded: 1700000000,
      },
      { url: 'https://moss.example/', title: 'Moss', status: 1, timeAdded: 1700000001 },
      { url: 'https://lichen.example/', title: 'Lichens', favorite: 1, timeAdded: 1700000002 },
      {
        url: 'https://bark.example/',
        title: 'Bark',
        tags: ['Field guides'],
        status: 0,
        timeAdded: 1700000003,
      },
    ]);
    expect(refusals).toEqual([
      {
        place: { path: '', line: 6 },
        reason: 'There is no URL.',
        text: ',A note without a page,Only words,Unread,1700000004,',
      },
    ]);
  });

  it('reads older files of Instapaper without times and tags', async () => {
    const { format, items } = await readContent(
      'URL,Title,Selection,Folder\nhttps://a.example,A,,Archive\n',
    );

    expect(format).toBe('instapaper');
    expect(items).toEqual([{ url: 'https://a.example', title: 'A', status: 1 }]);
  });

  it('reads Readwise Reader, and rejects entries that came from feeds', async () => {
    const { format, items, refusals } = await readFixture('readwise.csv');

    expect(format).toBe('readwise');
    expect(items).toEqual([
      {
        url: 'https://stars.example/',
        title: 'Sailing by the stars',
        tags: ['sea', "sailor's craft"],
        status: 0,
        timeAdded: 1667709230,
      },
      { url: 'https://knots.example/', title: 'Knots', status: 1, timeAdded: 1667795630 },
    ]);
    expect(refusals.map(({ place, reason }) => ({ place, reason }))).toEqual([
      { place: { path: '', line: 4 }, reason: 'It came with a feed and was never saved.' },
    ]);
  });

  const bread = {
    url: 'https://bread.example/',
    title: 'Bread without kneading',
    tags: ['baking', 'slow'],
    status: 1,
    timeAdded: 1702893600,
    timeUpdated: 1702980000,
  };

  it('reads the archive of Omnivore with highlights, their labels and notes, and page notes', async () => {
    const { format, rows } = await readZip(partsIn('omnivore-zip'));

    expect(format).toBe('omnivore');
    expect(rows).toMatchObject([
      {
        place: { path: 'metadata_0_to_20.json', line: 1 },
        item: {
          ...bread,
          annotations: [
            {
              quote: 'The dough wants a night,\nand nothing else.',
              note: '#patience\n\nwhat I think of it',
            },
            { quote: 'Bake it in an iron pot.', note: 'with its lid' },
          ],
          note: 'The best of all recipes.\n\nReally.',
        },
      },
      { item: { url: 'https://salt.example/', title: 'Salt', status: 0, timeAdded: 1703066400 } },
      { place: { path: 'metadata_20_to_40.json', line: 1 }, item: { title: 'Yeast' } },
    ]);
  });

  it('reads a single file of Omnivore', async () => {
    const { format, items } = await readFixture('omnivore-zip/metadata_0_to_20.json');

    expect(format).toBe('omnivore');
    expect(items[0]).toEqual(bread);
  });
});

describe('an import from a self-hosted service', () => {
  it('reads wallabag: a quote and its note become an annotation', async () => {
    const { format, items } = await readFixture('wallabag.json');

    expect(format).toBe('wallabag');
    expect(items).toEqual([
      {
        number: 12,
        url: 'https://rivers.example/springs',
        title: 'Where rivers begin',
        tags: ['rivers', 'maps'],
        status: 1,
        favorite: 1,
        timeAdded: 1607763600,
        timeUpdated: 1607850000,
        timeRead: 1607936400,
        timeFavorited: 1608022800,
        annotations: [
          { quote: 'A spring is seldom one.', note: 'to be checked', createdAt: 1607767200 },
        ],
      },
      {
        number: 13,
        url: 'https://dams.example/',
        title: 'Dams',
        tags: ['dams'],
        status: 0,
        favorite: 0,
        timeAdded: 1608112800,
      },
    ]);
  });

  it('recognizes wallabag even if an article looks like a bookmarks file', async () => {
    const content = '<!DOCTYPE NETSCAPE-Bookmark-file-1><title>Pocket Export</title><dt><a href=x>';

    const { format } = await readContent(
      JSON.stringify([{ is_archived: 0, url: 'https://a.example', content }]),
    );

    expect(format).toBe('wallabag');
  });

  it('reads the first version of wallabag', async () => {
    const { format, items } = await readContent(
      '[{"id":"1","title":"A","url":"https://a.example","is_read":"1","is_fav":"0","tags":"x,y"}]',
    );

    expect(format).toBe('wallabag');
    expect(items).toEqual([
      { number: 1, url: 'https://a.example', title: 'A', tags: ['x', 'y'], status: 1, favorite: 0 },
    ]);
  });

  it('reads Karakeep: each list of a path becomes a tag, except smart lists', async () => {
    const { format, items, refusals } = await readFixture('karakeep.json');

    expect(format).toBe('karakeep');
    expect(items).toEqual([
      {
        url: 'https://felt.example/',
        title: 'Felting wool',
        tags: ['wool', 'craft', 'Handwork', 'Clothes', 'Hats'],
        status: 1,
        timeAdded: 1716000000,
        note: 'For the hat',
      },
      { url: 'https://yarn.example/', status: 0, timeAdded: 1716000001 },
    ]);
    expect(refusals).toEqual([
      { place: { path: '', line: 3 }, reason: NOT_A_LINK, text: 'A thought' },
      { place: { path: '', line: 4 }, reason: NOT_A_LINK, text: 'A file' },
    ]);
  });

  it('reads Linkwarden: each collection of a path becomes a tag, pinned links become favorites', async () => {
    const { format, items, refusals } = await readFixture('linkwarden.json');

    expect(format).toBe('linkwarden');
    expect(items).toEqual([
      {
        url: 'https://boats.example/',
        title: 'Paper boats',
        tags: ['folding'],
        timeAdded: 1709287200,
        timeUpdated: 1709373600,
      },
      {
        url: 'https://masts.example/',
        title: 'Masts',
        tags: ['Ships'],
        favorite: 1,
        timeAdded: 1609459200,
      },
      {
        url: 'https://sails.example/',
        title: 'Sails',
        tags: ['Ships', 'Sailing'],
        timeAdded: 1709632800,
        note: 'Cotton, not linen',
      },
    ]);
    expect(refusals).toEqual([
      { place: { path: '', line: 3 }, reason: 'There is no URL.', text: 'A scan' },
    ]);
  });

  it('reads the origin URL of a wallabag entry', async () => {
    const entry = {
      url: 'https://a.example/',
      is_archived: 0,
      origin_url: 'https://feed.example/',
    };

    const { items } = await readContent(JSON.stringify([entry, { ...entry, origin_url: null }]));

    expect(items.map((item) => item.details)).toEqual([
      { originUrl: 'https://feed.example/' },
      undefined,
    ]);
  });

  it('reads collections of Linkwarden without an id, but creates no tags from their names', async () => {
    const [a, b] = ['https://a.example/', 'https://b.example/'];
    const collections = [
      { name: 'Ferns', links: [{ name: 'A', url: a }] },
      { name: 'Moss', links: [{ name: 'B', url: b }] },
    ];

    const { items } = await readContent(JSON.stringify({ name: 'Ada', collections }));

    expect(items).toEqual([
      { url: a, title: 'A' },
      { url: b, title: 'B' },
    ]);
  });
});
