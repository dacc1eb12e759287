import { readContent, readFixture } from '../support/read-export.js';

describe('bookmarks of browsers and other tools', () => {
  it('are read with tags, times in any unit, notes and states; folders become tags', async () => {
    const { format, items } = await readFixture('netscape.html');

    expect(format).toBe('netscape');
    expect(items).toEqual([
      { url: 'https://clocks.example/', title: 'Clocks & watches', timeAdded: 1600000002 },
      {
        url: 'https://lathes.example/?a=1&b=2',
        title: 'Lathes',
        tags: ['wood', 'turning', 'Workshop'],
        timeAdded: 1600000004,
        timeUpdated: 1600000005,
      },
      {
        url: 'https://dovetails.example/',
        title: 'Dovetails',
        tags: ['Workshop', 'Joints glued'],
        timeAdded: 1600000006,
      },
      { url: 'https://sundials.example/', timeAdded: 1600000007 },
      { url: 'https://rain.example/', title: 'Rain gauges', favorite: 1, timeAdded: 1600000008 },
      {
        url: 'https://toread.example/',
        title: 'Not read yet',
        tags: ['later'],
        status: 0,
        timeAdded: 1600000009,
      },
      {
        url: 'https://done.example/',
        title: 'Read',
        tags: ['done'],
        note: 'and notes',
        status: 1,
        timeAdded: 1600000010,
      },
      {
        url: 'https://away.example/',
        title: 'Put away',
        tags: ['away'],
        status: 1,
        timeAdded: 1600000011,
      },
    ]);
  });
});

describe('tables with a URL column', () => {
  it.each([
    ['href,name', 'https://a.example,A'],
    ['Link;Name', 'https://a.example;A'],
    ['Name\tURL', 'A\thttps://a.example'],
    ['sep=;\nname;url', 'A;https://a.example'],
  ])('are read if they begin with %j', async (header, row) => {
    const { format, items } = await readContent(`${header}\r\n${row}\r\n`);

    expect(format).toBe('csv');
    expect(items).toEqual([{ url: 'https://a.example', title: 'A' }]);
  });

  it('may separate tags by commas, bars or semicolons, or contain a JSON list', async () => {
    const { items } = await readContent(
      'url,tags\na.example,"x, y"\na.example,x|y\na.example,x;y\na.example,"[""x"",""y""]"\n',
    );

    expect(items.map(({ tags }) => tags)).toEqual(Array(4).fill(['x', 'y']));
  });
});

describe('a list of URLs', () => {
  it('is read without comments and blank lines, and loses lines without a URL', async () => {
    const { format, rows } = await readFixture('urls.txt');

    expect(format).toBe('urls');
    expect(rows).toEqual([
      { place: { path: '', line: 2 }, item: { url: 'https://one.example/a?b=c' } },
      { place: { path: '', line: 4 }, item: { url: 'two.example/path' } },
      {
        place: { path: '', line: 5 },
        reason: 'The line contains no web address.',
        text: '',
      },
      { place: { path: '', line: 6 }, item: { url: 'http://three.example' } },
    ]);
  });
});

describe("Satchel's own export", () => {
  it('is read with all its fields, and loses only a broken line', async () => {
    const { format, items, refusals } = await readFixture('satchel.jsonl');

    expect(format).toBe('satchel');
    expect(items).toEqual([
      {
        url: 'https://all.example/',
        title: 'Everything',
        prefersGivenTitle: true,
        tags: ['one', 'two'],
        status: 1,
        favorite: 1,
        timeAdded: 1700000000,
        timeUpdated: 1700000001,
        timeRead: 1700000002,
        timeFavorited: 1700000003,
        annotations: [
          {
            annotationId: 'a-1',
            quote: 'A passage',
            patch: '@@',
            version: '2',
            createdAt: 1700000004,
          },
        ],
      },
      { url: 'https://little.example/', status: 0, favorite: 0 },
    ]);
    expect(refusals).toEqual([
      {
        place: { path: '', line: 4 },
        reason: 'The line is no JSON: it may have broken off.',
        text: '{"url":"https://broken.',
      },
    ]);
  });

  it('keeps a title that equals the URL, and the spaces around a quote', async () => {
    const line = { url: 'https://a.example', title: 'https://a.example' };
    const annotations = [{ annotation_id: 'a', quote: ' as it stands ' }];

    const { items } = await readContent(
      `{"satchel":1}\n${JSON.stringify({ ...line, annotations })}\n`,
    );

    expect(items).toEqual([
      { ...line, annotations: [{ annotationId: 'a', quote: ' as it stands ' }] },
    ]);
  });
});
