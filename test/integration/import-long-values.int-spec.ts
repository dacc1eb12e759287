import { readContent } from '../support/read-export.js';

/** A parser that rescans a value takes minutes for this length. A linear parser takes milliseconds. */
const LENGTH = 60_000;
const filled = (text: string): string => text.repeat(LENGTH / text.length);

const HOSTILE: readonly string[] = [
  `["${filled('\\"')}`,
  `['${filled("\\'")}`,
  `["${filled('\\')}`,
  `[${filled('"')}`,
  `["a",${filled(' ')}x`,
  `[${filled('[')}`,
  filled(','),
  filled(' ,'),
  filled('|'),
  filled('/'),
  filled('a.'),
  filled('>'),
  filled('1'),
  `2024-01-01T00:00:00.${filled('0')}`,
  `https://${filled('a.')}`,
  `https://a.example/${filled(' ')}x`,
  filled('\u0000'),
  filled('\ud800'),
  filled('&amp'),
];

const quoted = (value: string): string => `"${value.replaceAll('"', '""')}"`;
const FINE = 'https://fine.example';

const TABLES: Readonly<Record<string, readonly [string, (value: string) => string]>> = {
  csv: [
    'url,title,tags,folder,created,status,note,favorite',
    (value) => `https://a.example,${Array<string>(7).fill(value).join()}`,
  ],
  'pocket-csv': [
    'title,url,time_added,tags,status',
    (value) => `${value},https://a.example,${value},${value},${value}`,
  ],
  instapaper: [
    'URL,Title,Selection,Folder,Timestamp,Tags',
    (value) => `https://a.example,${Array<string>(5).fill(value).join()}`,
  ],
  readwise: [
    'Title,URL,ID,Document tags,Saved date,Reading progress,Location,Seen',
    (value) => `${value},https://a.example,1,${value},${value},0,${value},x`,
  ],
};

const DOCUMENTS: Readonly<Record<string, (value: unknown) => unknown>> = {
  'pocket-api': (value) => [
    { item_id: '1', given_url: FINE },
    {
      item_id: '2',
      given_url: 'https://a.example',
      given_title: value,
      tags: value,
      time_added: value,
    },
  ],
  wallabag: (value) => [
    { url: FINE, is_archived: 0 },
    { url: 'https://a.example', is_archived: 0, title: value, tags: value, created_at: value },
  ],
  linkwarden: (value) => ({
    collections: [
      { id: 1, name: '', links: [{ url: FINE }] },
      { id: 2, name: value, links: [{ url: 'https://a.example', tags: [{ name: value }] }] },
    ],
  }),
};

describe('long values in an imported file', () => {
  it.each(
    Object.keys(TABLES).flatMap((format) =>
      HOSTILE.map((value) => [format, value.slice(0, 20), value]),
    ),
  )('do not affect the other rows of %s: %j', async (format, _, value) => {
    const [header, row] = TABLES[format]!;
    const file = [header, row(quoted(value)), row('').replace('https://a.example', FINE), ''];

    const read = await readContent(file.join('\n'));

    expect(read.format).toBe(format);
    expect(read.rows).toHaveLength(2);
    expect(read.items).toContainEqual(expect.objectContaining({ url: FINE }));
  });

  it.each(
    Object.keys(DOCUMENTS).flatMap((format) =>
      HOSTILE.map((value) => [format, value.slice(0, 20), value]),
    ),
  )('do not affect the other entries of %s: %j', async (format, _, value) => {
    const read = await readContent(JSON.stringify(DOCUMENTS[format]!(value)));

    expect(read.format).toBe(format);
    expect(read.rows).toHaveLength(2);
    expect(read.items).toContainEqual(expect.objectContaining({ url: FINE }));
  });

  it.each(['urls', 'netscape'])('do not affect the other lines of %s', async (format) => {
    const link = (value: string): string =>
      format === 'urls' ? value : `<DT><A HREF="${value}" TAGS="${value}">${value}</A>`;
    const start = format === 'urls' ? FINE : '<!DOCTYPE NETSCAPE-Bookmark-file-1>';
    const lines = HOSTILE.map((value) => link(value.replaceAll(/["<>]/g, '')));

    const read = await readContent(
      [start, ...Array<string>(9).fill(link(FINE)), ...lines].join('\n'),
    );

    expect(read.format).toBe(format);
    expect(read.items.filter(({ url }) => url === FINE).length).toBeGreaterThan(8);
  });
});

const longTags = Array.from({ length: 1000 }, (_, at) => `a tag of a page ${at}`).join();

describe('a row whose tags are too long', () => {
  it.each([
    ['csv', `url,tags\nhttps://a.example,"[""${filled('\\""')}"\n${FINE},a`],
    ['csv', `url,tags\nhttps://a.example,"${longTags}"\n${FINE},a`],
  ])('is rejected with the reason, in the format %s', async (_, content) => {
    const { items, refusals } = await readContent(content);

    expect(items).toEqual([{ url: FINE, tags: ['a'] }]);
    expect(refusals).toMatchObject([
      { place: { line: 2 }, reason: 'The tags have more than 10000 characters.' },
    ]);
  });
});

describe('long names of nested folders', () => {
  it('do not slow down the import of many pages', async () => {
    const folders = `<H3>${'n'.repeat(5000)}</H3><DL>`.repeat(200);
    const links = '<DT><A HREF="https://a.example">'.repeat(20_000);

    const { rows } = await readContent(`<!DOCTYPE NETSCAPE-Bookmark-file-1>${folders}${links}`);

    expect(rows).toHaveLength(20_000);
  });
});

describe('oversized JSON', () => {
  it('loses a line that is too long before it is parsed, and no other lines', async () => {
    const line = `{"url":"https://a.example","x":[${'{},'.repeat(5_400_000)}{}]}`;

    const { items, refusals } = await readContent(
      ['{"satchel":1}', line, JSON.stringify({ url: FINE })].join('\n'),
    );

    expect(items).toEqual([expect.objectContaining({ url: FINE })]);
    expect(refusals).toMatchObject([
      { place: { line: 2 }, reason: 'The line is longer than any row can be.' },
    ]);
  });

  it('reads a long line with an article', async () => {
    const line = {
      ...{
        url: FINE,
        title: 'A title',
        tags: ['a'],
        page: { article: '<p>x</p>'.repeat(300_000) },
      },
      note: 'Mine',
    };

    const { items, refusals } = await readContent(
      ['{"satchel":1}', JSON.stringify(line)].join('\n'),
    );

    expect(refusals).toEqual([]);
    expect(items).toMatchObject([{ url: FINE, title: 'A title', tags: ['a'], note: 'Mine' }]);
  });

  it('loses an entry with too many values', async () => {
    const entry = `{"item_id":"2","given_url":"https://a.example","x":[${'{},'.repeat(100_000)}{}]}`;

    const { items, refusals } = await readContent(
      `[{"item_id":"1","given_url":"${FINE}"},${entry}]`,
    );

    expect(items).toMatchObject([{ url: FINE }]);
    expect(refusals).toMatchObject([{ reason: 'The entry is larger than any saved page can be.' }]);
  });
});
