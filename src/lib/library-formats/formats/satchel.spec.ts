import type { ImportRow } from '../format.js';
import { satchel } from './satchel.js';

/** The maximum length of an article that Satchel extracts from a document. */
const LONGEST_ARTICLE = 6_000_000;

describe('an exported list', () => {
  it('is imported with the longest article', async () => {
    const item = { url: 'https://example.com/', article: '"'.repeat(LONGEST_ARTICLE) };
    const bytes = Buffer.from(`{"satchel":1}\n${JSON.stringify(item)}\n`);
    const rows: ImportRow[] = [];
    const source = {
      path: '',
      sibling: () => undefined,
      bytes: async function* () {
        await Promise.resolve();
        yield bytes;
      },
    };

    for await (const row of satchel.rows(source)) {
      rows.push(row);
    }

    expect(rows).toEqual([expect.objectContaining({ item: expect.anything() })]);
  });
});
