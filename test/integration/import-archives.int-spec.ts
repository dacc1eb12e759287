import { buffer } from 'node:stream/consumers';

import { ZipFile } from 'yazl';

import {
  UnknownFormatError,
  UnreadableFileError,
} from '../../src/lib/library-formats/library-formats.errors.js';
import { aZip, type ZipPart } from '../support/a-zip.js';
import { partsIn, readContent, readZip } from '../support/read-export.js';

const HEADER = 'title,url,time_added,tags,status\n';
const part = (name: string, url = 'https://a.example', more: Partial<ZipPart> = {}): ZipPart => ({
  name,
  content: `${HEADER}A,${url},1,,unread\n`,
  ...more,
});
const paths = (rows: readonly { place: { path: string } }[]) => rows.map(({ place }) => place.path);

describe('an imported ZIP', () => {
  it.each(['../../etc/part_0.csv', '/part_0.csv', 'C:\\x\\part_0.csv', 'part\u0007_0.csv'])(
    'uses the file name %j only as a label',
    async (name) => {
      const { items } = await readZip([part(name)]);

      expect(items).toHaveLength(1);
    },
  );

  it('skips folders, hidden files and files of macOS', async () => {
    const { rows } = await readZip([
      { name: 'pocket/', content: '' },
      part('__MACOSX/._part_0.csv'),
      part('.hidden.csv'),
      part('part_0.csv'),
      { name: 'picture.png', content: 'x' },
    ]);

    expect(paths(rows)).toEqual(['part_0.csv']);
  });

  it('reports each type of file that is not imported once', async () => {
    const { rows, notImported } = await readZip([
      part('part_0.csv'),
      { name: 'a.PNG', content: 'x' },
      { name: 'pictures/b.png', content: 'x' },
      { name: 'book.epub', content: 'x' },
    ]);

    expect(paths(rows)).toEqual(['part_0.csv']);
    expect(notImported.fields).toEqual([
      { path: '', kind: 'file', name: '*.png', rows: 2 },
      { path: '', kind: 'file', name: '*.epub', rows: 1 },
    ]);
  });

  it.each([
    [
      'wallabag.xml',
      '<result><entry><url>https://a.example/</url><is_archived>1</is_archived></entry></result>',
    ],
    ['list.md', '- [A](https://a.example/)\n'],
    [
      'Default/Bookmarks',
      '{"roots":{"bookmark_bar":{"type":"folder","name":"x","children":[{"type":"url","name":"A","url":"https://a.example/"}]}}}',
    ],
    ['content/part_0.csv', `${HEADER}A,https://a.example/,1,,unread\n`],
    [
      'content/links.html',
      '<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF="https://a.example/">A</A></DL>',
    ],
  ])('can contain %s', async (name, content) => {
    expect(await readZip([{ name, content }])).toMatchObject({
      items: [{ url: 'https://a.example/' }],
      refusals: [],
    });
  });

  it.each(['omnivore-zip', 'readeck-zip', 'pocket-zip'])(
    'has no file that is not imported: %s',
    async (name) => {
      const { notImported } = await readZip(partsIn(name));

      expect(notImported.fields.filter(({ kind }) => kind === 'file')).toEqual([]);
    },
  );

  it('can contain two files of the same name', async () => {
    const { items } = await readZip([
      part('part_0.csv', 'https://first.example'),
      part('part_0.csv', 'https://second.example'),
    ]);

    expect(items.map(({ url }) => url)).toEqual([
      'https://first.example',
      'https://second.example',
    ]);
  });

  it('loses only a file of an unknown format and a nested ZIP', async () => {
    const { items, refusals } = await readZip([
      part('part_0.csv'),
      { name: 'notes.txt', content: 'only words\nand more of them\n' },
      { name: 'old.zip', content: aZip([part('part_1.csv')]) },
    ]);

    expect(items).toHaveLength(1);
    expect(paths(refusals)).toEqual(['notes.txt', 'old.zip']);
    expect(refusals[0]?.reason).toBe(
      'This file of the archive is in no format that can be imported.',
    );
  });

  it('with a damaged file loses only the rest of this file', async () => {
    const { items, refusals } = await readZip([
      part('part_0.csv', 'https://a.example', { crc: 1 }),
      part('part_1.csv'),
    ]);

    expect(items).toHaveLength(2);
    expect(refusals).toEqual([
      {
        place: { path: 'part_0.csv', line: 3 },
        reason: 'The archive is damaged here: the rest of this file cannot be read.',
        text: '',
      },
    ]);
  });

  it('is read up to a file that is larger than declared', async () => {
    const content = `${HEADER}${'A,https://a.example,1,,unread\n'.repeat(5000)}`;

    const { refusals } = await readZip([
      { name: 'part_0.csv', content, size: 60_000 },
      part('part_1.csv'),
    ]);

    expect(new Set(paths(refusals))).toEqual(new Set(['part_0.csv']));
    expect(refusals.at(-1)?.reason).toMatch(/damaged here/);
  });

  it.each([
    ['an encrypted one', [part('part_0.csv', 'https://a.example', { flags: 1 })], /encrypted/],
    [
      'a strongly encrypted one',
      [part('a.csv', 'https://a.example', { flags: 0x41 })],
      /encrypted/,
    ],
    [
      'one that would fill the memory',
      [{ name: 'part_0.csv', content: Buffer.alloc(11 * 1024 ** 2) }],
      /unpack to more/,
    ],
    [
      'one that would fill a disk',
      Array.from({ length: 3 }, (_, index) =>
        part(`${index}.csv`, 'u', { size: 0xfffffff0, packedSize: 0x7000000 }),
      ),
      /unpack to more/,
    ],
  ])('is rejected completely: %s', async (_, parts, reason) => {
    const refused = readZip(parts);

    await expect(refused).rejects.toBeInstanceOf(UnreadableFileError);
    await expect(refused).rejects.toThrow(reason);
  });

  it('can have the ZIP64 format', async () => {
    const zip = new ZipFile();
    zip.addBuffer(Buffer.from(part('part_0.csv').content), 'part_0.csv', {
      forceZip64Format: true,
    });
    zip.end({ forceZip64Format: true, comment: '' });

    const { format, items } = await readContent(await buffer(zip.outputStream));

    expect(format).toBe('pocket-zip');
    expect(items).toHaveLength(1);
  });

  it('is rejected if its file list is too large', async () => {
    const parts = Array.from({ length: 1_100 }, (_, at) => part(`${at}${'x'.repeat(65_000)}.csv`));

    await expect(readZip(parts)).rejects.toThrow('The ZIP would unpack to more');
  });

  it('is rejected if it is truncated', async () => {
    const whole = aZip([part('part_0.csv')]);

    await expect(readContent(whole.subarray(0, whole.length - 10))).rejects.toThrow(
      'The ZIP is broken, or was not downloaded to its end.',
    );
  });

  it('is rejected if the position of its file list is wrong', async () => {
    const zip = aZip([part('part_0.csv')]);
    zip.writeUInt32LE(3, zip.length - 6);

    await expect(readContent(zip)).rejects.toBeInstanceOf(UnreadableFileError);
  });

  it.each([
    ['nothing', []],
    ['nothing that is known', [{ name: 'a.txt', content: 'words, words' }]],
  ])('is rejected if it contains %s', async (_, parts) => {
    await expect(readZip(parts)).rejects.toBeInstanceOf(UnknownFormatError);
  });

  it('can contain the bookmarks of a browser', async () => {
    const { format, items } = await readZip([
      { name: 'bookmarks.html', content: '<DL><DT><A HREF="https://a.example">A</A></DL>' },
    ]);

    expect(format).toBe('netscape');
    expect(items).toEqual([{ url: 'https://a.example', title: 'A' }]);
  });
});
