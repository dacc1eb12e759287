import { Readable } from 'node:stream';

import type { ImportRow } from '../../lib/library-formats/format.js';
import { batchesOf } from './row-batches.js';

const place = { path: '', line: 1 };
const url = 'https://example.com/a';
const MILLION = 'x'.repeat(1_000_000);

const times = (count: number, row: ImportRow): AsyncIterable<ImportRow> =>
  Readable.from(Array.from({ length: count }, () => row));

/** Returns the numbers of the first and the last row of each batch. */
async function spans(rows: AsyncIterable<ImportRow>, rowsDone = 0): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const batch of batchesOf(rows, rowsDone)) {
    found.push([batch[0]?.rowNumber, batch.at(-1)?.rowNumber]);
  }
  return found;
}

describe('the rows of a file', () => {
  it('come 100 at a time, after those that are done', async () => {
    expect(await spans(times(250, { place, item: { url } }))).toEqual([
      [1, 100],
      [101, 200],
      [201, 250],
    ]);
    expect(await spans(times(250, { place, item: { url } }), 225)).toEqual([[226, 250]]);
  });

  it.each([
    ['address', { url: MILLION }],
    ['title', { url, title: MILLION }],
    ['tags', { url, tags: [MILLION] }],
    ['passages', { url, annotations: [{ quote: MILLION }] }],
  ])(
    'come one at a time when they have a long %s, so that they fill no memory',
    async (_, item) => {
      expect(await spans(times(3, { place, item }))).toEqual([
        [1, 1],
        [2, 2],
        [3, 3],
      ]);
    },
  );
});
