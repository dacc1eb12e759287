import { readContent, readFixture } from '../support/read-export.js';

describe('an import of tables from a service', () => {
  it('reads Raindrop: collections, highlights with their notes, and page notes', async () => {
    const { format, items } = await readFixture('raindrop.csv');

    expect(format).toBe('raindrop');
    expect(items).toEqual([
      {
        url: 'https://harps.example/',
        title: 'Wind harps',
        tags: ['wind', 'sound', 'Music', 'Strings/Harps'],
        favorite: 1,
        timeAdded: 1704164645,
        annotations: [
          { quote: 'The wind plays it.', note: 'at the sea' },
          { quote: 'Gut strings,\nor nylon' },
        ],
        note: 'Listen at night',
      },
      { url: 'https://drums.example/', title: 'Drums', favorite: 0, timeAdded: 1704251045 },
      {
        url: 'https://flutes.example/',
        title: 'Flutes',
        tags: ['Music', 'Wood'],
        favorite: 0,
        timeAdded: 1704337445,
        annotations: [{ quote: 'Only a plain line' }],
      },
    ]);
  });

  it('keeps a collection of Raindrop that has the name of a browser folder', async () => {
    const { items } = await readContent(
      'url,folder,excerpt,tags,created\nhttps://a.example,Reading list,,,\n',
    );

    expect(items).toEqual([{ url: 'https://a.example', tags: ['Reading list'] }]);
  });

  it('reads Matter: the queue is unread, and the last interaction is the only time', async () => {
    const { format, items } = await readFixture('matter.csv');

    expect(format).toBe('matter');
    expect(items).toEqual([
      {
        url: 'https://tides.example/',
        title: 'Tides',
        tags: ['sea', 'moon'],
        status: 1,
        favorite: 1,
        timeAdded: 1677906367,
      },
      {
        url: 'https://shoals.example/',
        title: 'Shoals',
        status: 0,
        favorite: 0,
        timeAdded: 1677992767,
      },
    ]);
  });

  it('reads older tables of Matter without a queue', async () => {
    const { format, items } = await readContent(
      'Title,Author,Publisher,URL,Word Count,Saved,Read,Highlight Count,Last Interaction Date,File Id\n' +
        'A,,,https://a.example,1,False,True,0,2022-01-01,a\n' +
        'B,,,https://b.example,1,True,False,0,2022-01-01,b\n',
    );

    expect(format).toBe('matter');
    expect(items.map(({ status }) => status)).toEqual([1, 0]);
  });

  it('reads Diigo: tags with quotes, highlights with sticky notes, descriptions as notes', async () => {
    const { format, items } = await readFixture('diigo.csv');

    expect(format).toBe('diigo');
    expect(items).toEqual([
      {
        url: 'https://bees.example/',
        title: 'Beekeeping',
        tags: ['garden', 'wild bees', 'honey'],
        timeAdded: 1433664550,
        annotations: [
          { quote: 'A hive wants shade.', note: 'ours has none' },
          { quote: 'Feed them in March.' },
        ],
        note: 'For the spring\n\nAsk the neighbour',
      },
      { url: 'https://wasps.example/', title: 'Wasps', timeAdded: 1433750950 },
      {
        url: 'https://ants.example/',
        title: 'Ants',
        tags: ['garden', 'red ants'],
        timeAdded: 1433837350,
        annotations: [{ quote: '', note: 'under the step' }],
      },
    ]);
  });

  it('reads LinkAce: lists become tags, and the result of the link check is ignored', async () => {
    const { format, items, refusals } = await readFixture('linkace.csv');

    expect(format).toBe('linkace');
    expect(items).toEqual([
      {
        url: 'https://clay.example/',
        title: 'Clay',
        tags: ['pots', 'kiln', 'Craft', 'To make'],
        timeAdded: 1646370367,
        timeUpdated: 1646456767,
        note: 'Dries too fast',
      },
      {
        url: 'https://glaze.example/',
        title: 'Glaze',
        timeAdded: 1646456767,
        timeUpdated: 1646456767,
      },
    ]);
    expect(refusals.map(({ reason }) => reason)).toEqual([
      'The link was deleted before the export.',
    ]);
  });

  it('reads the table of wallabag, whose times are only accurate to the day', async () => {
    const { format, items } = await readFixture('wallabag.csv');

    expect(format).toBe('wallabag-csv');
    expect(items).toEqual([
      {
        url: 'https://lichens.example/',
        title: 'Lichens',
        tags: ['stones', 'green'],
        timeAdded: 1612526400,
      },
      { url: 'https://algae.example/', timeAdded: 1612612800 },
    ]);
  });

  it('reads mymind and rejects a card without a page', async () => {
    const { format, items, refusals } = await readFixture('mymind.csv');

    expect(format).toBe('mymind');
    expect(items).toEqual([
      {
        url: 'https://folds.example/',
        title: 'Paper folding',
        tags: ['paper', 'Hobbies'],
        timeAdded: 1733353330,
        note: 'Try the crane',
      },
      {
        url: 'https://folds.example/crane',
        title: 'A crane',
        timeAdded: 1733439730,
        annotations: [{ quote: 'Fold it in half twice.' }],
      },
    ]);
    expect(refusals.map(({ text }) => text)).toEqual([
      'm3,Note,A thought,,Only words,,paper,2024-12-06T23:02:10Z',
    ]);
  });

  it("reads a list of Google's saved pages", async () => {
    const { format, items } = await readFixture('google-saved.csv');

    expect(format).toBe('google-saved');
    expect(items).toEqual([
      {
        url: 'https://stairs.example/',
        title: 'Stairs',
        tags: ['town', 'walks'],
        note: 'In the old town\n\nCount them',
      },
      { url: 'https://bridges.example/', title: 'Bridges' },
    ]);
  });

  it('reads the table of Readeck by common column names', async () => {
    const { format, items } = await readContent(
      'url,title,created,labels,is_archived,is_marked,type\r\n' +
        'https://a.example,A,2025-01-02T03:04:05Z,"[""x"",""y z""]",true,true,article\r\n',
    );

    expect(format).toBe('csv');
    expect(items).toEqual([
      {
        url: 'https://a.example',
        title: 'A',
        tags: ['x', 'y z'],
        status: 1,
        favorite: 1,
        timeAdded: 1735787045,
      },
    ]);
  });
});

describe('an import of any other table', () => {
  it.each([
    ['is_archived', '1', { status: 1 }],
    ['is_archived', 'false', { status: 0 }],
    ['read', 'yes', { status: 1 }],
    ['is_read', '0', { status: 0 }],
    ['unread', 'true', { status: 0 }],
    ['to_read', 'no', { status: 1 }],
    ['status', 'Archived', { status: 1 }],
    ['state', 'to read', { status: 0 }],
    ['is_archived,read', '0,1', { status: 1 }],
    ['read_at', '2023-11-14T22:13:21Z', { status: 1, timeRead: 1700000001 }],
    ['is_starred', '1', { favorite: 1 }],
    ['favorite', 'yes', { favorite: 1 }],
    ['is_favorite,starred', '0,1', { favorite: 1 }],
    ['is_marked', 'false', { favorite: 0 }],
    ['collections', 'Go/Tools|Rust', { tags: ['Go', 'Tools', 'Rust'] }],
    ['lists', '"x, y"', { tags: ['x', 'y'] }],
    ['tags', '#x #y', { tags: ['x', 'y'] }],
    ['tags', '"one two, three"', { tags: ['one two', 'three'] }],
    ['note,comment', 'mine,too', { note: 'mine\n\ntoo' }],
    ['highlight', 'A line', { annotations: [{ quote: 'A line' }] }],
    ['updated_at', '2023-11-14T22:13:21Z', { timeUpdated: 1700000001 }],
  ])('reads the column %s with %s', async (columns, fields, expected) => {
    const { format, items } = await readContent(`url,${columns}\nhttps://a.example,${fields}\n`);

    expect(format).toBe('csv');
    expect(items).toEqual([{ url: 'https://a.example', ...expected }]);
  });
});
