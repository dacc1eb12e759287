import { readContent } from '../../../../../test/support/read-export.js';
import { UnknownFormatError } from '../../library-formats.errors.js';

describe('a list of links', () => {
  it('imports the tabs of OneTab with their titles', async () => {
    const { format, items, refusals } = await readContent(
      'https://a.example/ | One | Two\nhttps://b.example/ | \n\nhttps://c.example/ | Three\n',
    );

    expect(format).toBe('urls');
    expect(items).toEqual([
      { url: 'https://a.example/', title: 'One | Two' },
      { url: 'https://b.example/' },
      { url: 'https://c.example/', title: 'Three' },
    ]);
    expect(refusals).toEqual([]);
  });

  it('imports each link of a Markdown list and skips headings and rules', async () => {
    const { items, refusals } = await readContent(
      '[A](https://a.example) #x\n\n# Plants\n---\n* [ ] [B](https://b.example)\n## [C](https://c.example)\n',
    );

    expect(items).toEqual([
      { url: 'https://a.example', title: 'A', tags: ['x'] },
      { url: 'https://b.example', title: 'B', status: 0 },
      { url: 'https://c.example', title: 'C' },
    ]);
    expect(refusals).toEqual([]);
  });

  it('refuses each line without a web address, without its text, and imports the others', async () => {
    const { items, refusals } = await readContent(
      'My links\nsome words\nFerns https://a.example\nmore words\nhttps://b.example\n',
    );

    expect(items).toEqual([
      { url: 'https://a.example', title: 'Ferns' },
      { url: 'https://b.example' },
    ]);
    expect(refusals.map(({ place, text }) => [place.line, text])).toEqual([
      [1, ''],
      [2, ''],
      [4, ''],
    ]);
  });

  it('reports words that are neither a title nor a tag', async () => {
    const { items, notImported } = await readContent('[A](https://a.example) - my words\n');

    expect(items).toEqual([{ url: 'https://a.example', title: 'A' }]);
    expect(notImported.fields).toEqual([
      { path: '', kind: 'text', name: 'beside a link', rows: 1 },
    ]);
  });

  it.each([
    [
      'a heading with a comma',
      'Things to read, later\nhttps://ferns.example/a, Ferns\nhttps://moss.example/b, Moss\n',
      [1],
    ],
    ['four lines of words', 'one\ntwo\nthree\nfour\nFerns https://ferns.example/a\n', [1, 2, 3, 4]],
  ])('refuses only the lines of words: %s', async (_, content, lines) => {
    const { format, items, refusals } = await readContent(content);

    expect(format).toBe('urls');
    expect(items[0]).toEqual({ url: 'https://ferns.example/a', title: 'Ferns' });
    expect(refusals.map(({ place }) => place.line)).toEqual(lines);
  });

  it('imports two links of one line', async () => {
    const { rows } = await readContent('https://a.example https://b.example\n');

    expect(rows).toEqual([
      { place: { path: '', line: 1 }, item: { url: 'https://a.example' } },
      { place: { path: '', line: 1 }, item: { url: 'https://b.example' } },
    ]);
  });

  it.each([
    ['a table', 'Quote,Source\nThey want no sun,https://a.example\nIt rains,https://b.example\n'],
    ['JSON', '[\n  {"page":"https://a.example"}\n]\n'],
    ['a list in JSON', '["https://a.example"]'],
    ['markup', '<feed>\n<id>https://a.example</id>\n</feed>\n'],
    ['prose', `${'A line of words.\n'.repeat(20)}See https://a.example\n`],
  ])('does not take %s for a list of links', async (_, content) => {
    await expect(readContent(content)).rejects.toBeInstanceOf(UnknownFormatError);
  });
});
