import fc from 'fast-check';

import {
  UnknownFormatError,
  UnreadableFileError,
} from '../../src/lib/library-formats/library-formats.errors.js';
import { aZip } from '../support/a-zip.js';
import { partsIn, readContent, type ReadExport } from '../support/read-export.js';

// Each property runs hundreds of files, perhaps on a busy machine.
/** Random content follows each of these. */
const BEGINNINGS = [
  '',
  '{"satchel":1}\n',
  'title,url,time_added,tags,status\n',
  'URL,Title,Selection,Folder,Timestamp\n"',
  '{"list":{"1":{"item_id":"1","given_url":"a"},',
  '[{"slug":"a","url":"b","savedAt":1},',
  '{"bookmarks":[{"content":{"url":"a"}}],"lists":[',
  '{"collections":[{"links":[',
  '<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF="a">',
  '<h1>Unread</h1><ul><li><a href="x">',
  'https://a.example\n',
  '\xff\xfe',
  'PK\x03\x04',
];

/** Bytes that have a meaning in some format, and any others. */
const rest = fc.array(
  fc.oneof(
    fc.constantFrom('{', '}', '[', ']', '"', ',', ':', '\n', '\r', '\0', '\\', 'u0000', '<', '>'),
    fc.constantFrom('<a href=x>', '</dl>', '<dl>', '<!--', 'https://a.example', 'PK\x01\x02', '1'),
    fc.string({ unit: 'binary', maxLength: 4 }),
  ),
);

/** Returns undefined for a file that is rejected entirely. */
async function readOrRefused(content: Uint8Array): Promise<ReadExport | undefined> {
  try {
    return await readContent(content);
  } catch (error) {
    if (error instanceof UnreadableFileError || error instanceof UnknownFormatError) {
      return undefined;
    }
    throw error;
  }
}

describe('a file with random content', () => {
  it('is rejected or has rows with a URL or a reason, and gives the same result each time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...BEGINNINGS), rest, async (beginning, others) => {
        const content = Buffer.from(`${beginning}${others.join('')}`, 'latin1');

        const read = await readOrRefused(content);

        expect(await readOrRefused(content)).toEqual(read);
        expect(read?.items.every(({ url }) => url.trim() !== '' && !url.includes('\0'))).not.toBe(
          false,
        );
        expect(read?.refusals.every(({ reason }) => reason !== '')).not.toBe(false);
      }),
      { numRuns: 600 },
    );
  });

  it('is read or rejected if it is a ZIP with random changes', async () => {
    const zip = aZip(partsIn('pocket-zip'));
    const change = fc.tuple(fc.nat(zip.length - 1), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 5 }), async (changes) => {
        const tampered = Buffer.from(zip);
        changes.forEach(([at, byte]) => tampered.writeUInt8(byte, at));

        const read = await readOrRefused(tampered);

        expect(read?.rows.length ?? 0).toBeLessThan(100);
      }),
      { numRuns: 300 },
    );
  });
});
