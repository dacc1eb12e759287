import iconv from 'iconv-lite';

import {
  UnknownFormatError,
  UnreadableFileError,
} from '../../src/lib/library-formats/library-formats.errors.js';
import { readFile } from '../../src/lib/library-formats/read-file.js';
import { readContent } from '../support/read-export.js';

const HEADER = 'title,url,time_added,tags,status';
const ROW = 'Fine,https://fine.example,1,,unread';
const FINE = { url: 'https://fine.example', title: 'Fine', timeAdded: 1, status: 0 };
const UNCLOSED = 'A quote opens here and is not closed: only this line is left out.';

const readTable = (...lines: readonly string[]) => readContent([HEADER, ...lines, ''].join('\n'));

describe('a broken table', () => {
  it.each([
    ['at its end', [ROW, '"Broken,https://b.example,1,,unread'], 3],
    ['with rows behind it', ['"Broken,https://b.example,1,,unread', ROW, ROW], 2],
    [
      'with quotes behind it',
      ['"Broken,https://b.example,1,,unread', ROW, `"Fine"${ROW.slice(4)}`],
      2,
    ],
  ])('loses one line to an unclosed quote %s', async (_, lines, line) => {
    const { items, refusals } = await readTable(...lines);

    expect(items).toEqual(Array(lines.length - 1).fill(FINE));
    expect(refusals).toEqual([
      { place: { path: '', line }, reason: UNCLOSED, text: '"Broken,https://b.example,1,,unread' },
    ]);
  });

  it('loses one line to each of two unclosed quotes', async () => {
    const broken = '"Broken,https://b.example,1,,unread';

    const { items, refusals } = await readTable(broken, ROW, ROW, broken, ROW);

    expect(items).toHaveLength(3);
    expect(refusals.map(({ place }) => place.line)).toEqual([2, 5]);
  });

  it('loses one line to an unclosed quote even if the table is long', async () => {
    const { items, refusals } = await readTable('"x', ...Array<string>(50_000).fill(ROW));

    expect(items).toHaveLength(50_000);
    expect(refusals).toHaveLength(1);
  });

  it('keeps quotes within a field', async () => {
    const { items } = await readTable('A 5" disk,https://a.example,1,,unread', ROW);

    expect(items).toEqual([{ ...FINE, url: 'https://a.example', title: 'A 5" disk' }, FINE]);
  });

  it('loses rows with too few or too many fields, but may have empty fields at the end of a row', async () => {
    const { items, refusals } = await readTable('A,https://a.exa', `A, B${ROW}`, `${ROW},,`);

    expect(items).toEqual([FINE]);
    expect(refusals.map(({ reason }) => reason)).toEqual([
      'The row has 2 fields and the header 5: a quote or a comma is missing or too many.',
      'The row has 6 fields and the header 5: a quote or a comma is missing or too many.',
    ]);
  });

  it('loses a line that is too long, and the error shows the start of this line', async () => {
    const { items, refusals } = await readTable(`https://${'x'.repeat(3_000_000)}`, ROW);

    expect(items).toEqual([FINE]);
    expect(refusals).toMatchObject([
      { place: { line: 2 }, reason: 'The line is longer than any row can be.' },
    ]);
    expect(refusals[0]?.text).toHaveLength(200);
  });

  it('has at most 1,000 tags per row', async () => {
    const tags = Array.from({ length: 2000 }, (_, at) => `t${at}`).join('|');

    const { items } = await readTable(`Fine,https://fine.example,1,${tags},unread`, ROW);

    expect(items.map((item) => item.tags?.length)).toEqual([1000, undefined]);
  });

  it('loses a row without a URL', async () => {
    const { refusals } = await readTable('A,,1,,unread');

    expect(refusals).toMatchObject([{ reason: 'There is no URL.' }]);
  });

  it('has the same line numbers as in an editor', async () => {
    const { rows } = await readTable('"a\nb",https://a.example,1,,unread', '', ROW);

    expect(rows.map(({ place }) => place.line)).toEqual([2, 5]);
  });
});

describe('a table in another encoding', () => {
  const title = 'Où trouver des pommes près de la forêt – où le chemin est à l’ombre';
  const table = `${HEADER}\r\n${title},https://fine.example,1,Äpfel|forêt,unread\r\n`;
  const item = { ...FINE, title, tags: ['Äpfel', 'forêt'] };

  it.each(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'])('is read in %s', async (encoding) => {
    const plain = await readContent(iconv.encode(table, encoding));
    const marked = await readContent(iconv.encode(table, encoding, { addBOM: true }));

    expect(plain.items).toEqual([item]);
    expect(marked.items).toEqual([item]);
  });

  it('is recognized even if its first non-ASCII letters come late', async () => {
    const rows = `${ROW}\r\n`.repeat(10_000);
    const text = table.replace('\r\n', `\r\n${rows}`);

    const { items } = await readContent(iconv.encode(text, 'windows-1252'));

    expect(items).toHaveLength(10_001);
    expect(items.at(-1)).toEqual(item);
  });

  it('loses NUL characters, and lone surrogates are replaced', async () => {
    const { items } = await readContent(
      JSON.stringify([{ item_id: '1', given_url: 'https://a.example', given_title: 'a\0b\ud800' }]),
    );

    expect(items[0]?.title).toBe('ab\ufffd');
  });
});

describe('broken JSON', () => {
  const item = (id: number) => ({ item_id: String(id), given_url: `https://${id}.example` });
  const list = JSON.stringify({ list: { 1: item(1), 2: item(2), 3: item(3) } });

  it.each([
    ['breaks off', list.slice(0, -40), 2, 'The JSON breaks off here: the file is not complete.'],
    [
      'goes wrong',
      list.replace('"3":', '"3"'),
      2,
      'The JSON is wrong here: the rest of the file cannot be read.',
    ],
    [
      'is nested too deeply',
      list.replace('"3":', `"x":${'['.repeat(100_000)}`),
      2,
      'The JSON is nested too deeply: the rest of the file cannot be read.',
    ],
  ])('is read up to the place where it %s', async (_, text, count, reason) => {
    const { items, refusals } = await readContent(text);

    expect(items).toHaveLength(count);
    expect(refusals).toEqual([{ place: { path: '', line: count + 1 }, reason, text: '' }]);
  });

  it('loses an entry that is too large, but not one with a long value that is not imported', async () => {
    const large = { ...item(1), tags: Array.from({ length: 100 }, () => 'x'.repeat(99_000)) };
    const long = { ...item(2), excerpt: 'x'.repeat(5_000_000) };

    const { items, refusals } = await readContent(JSON.stringify([large, long, item(3)]));

    expect(items.map(({ url }) => url)).toEqual(['https://2.example', 'https://3.example']);
    expect(refusals).toMatchObject([
      { place: { line: 1 }, reason: 'The entry is larger than any saved page can be.' },
    ]);
  });

  it('cannot set the prototype of an entry', async () => {
    const text = JSON.stringify([item(1)]).replace('{', '{"__proto__":{"given_title":"x"},');

    expect((await readContent(text)).items).toEqual([{ url: 'https://1.example', status: 0 }]);
  });
});

describe('broken HTML', () => {
  const link = (n: number) => `<DT><A HREF="https://${n}.example" ADD_DATE="x">${n}`;
  const DOCTYPE = '<!DOCTYPE NETSCAPE-Bookmark-file-1>';

  it('is read even if a line of megabytes contains only unclosed elements', async () => {
    const links = Array.from({ length: 30_000 }, (_, index) => link(index)).join('');

    const { items } = await readContent(`${DOCTYPE}<DL><p>${'<b>'.repeat(50_000)}${links}`);

    expect(items).toHaveLength(30_000);
    expect(items.at(-1)).toMatchObject({ url: 'https://29999.example', title: '29999' });
  });

  it.each(['<!-- ', '<a href="'])('is read up to %j that is never closed', async (opening) => {
    const text = `${DOCTYPE}<DL>${link(1)}</A>${opening}${'x'.repeat(5_000_000)}`;

    const { items, refusals } = await readContent(text);

    expect(items).toHaveLength(1);
    expect(refusals).toEqual([
      {
        place: { path: '', line: 2 },
        reason:
          'A tag or a comment opens here and is not closed: the rest of the file cannot be read.',
        text: '',
      },
    ]);
  });

  it('loses a link without an address', async () => {
    const { refusals } = await readContent(`${DOCTYPE}<DT><A>words</A>`);

    expect(refusals).toMatchObject([{ reason: 'There is no URL.', text: 'words' }]);
  });
});

describe('a file that is not an export', () => {
  it.each([
    'words\nand more words',
    '{"a":1}',
    '<html><body>A page</body></html>',
    '[1,2]',
    '\0\x01',
  ])('is rejected: %j', async (content) => {
    await expect(readContent(content)).rejects.toBeInstanceOf(UnknownFormatError);
  });

  it.each([
    ['test/fixtures/exports', 'This is no file.'],
    ['test/fixtures/exports/nowhere.csv', 'There is no such file.'],
  ])('is rejected with the reason: %s', async (path, reason) => {
    await expect(readFile(path)).rejects.toThrow(reason);
  });

  it('is rejected if it is empty', async () => {
    await expect(readContent('')).rejects.toThrow(UnreadableFileError);
  });
});
