import type { ImportRow, Source } from '../format.js';
import { omnivore } from './omnivore.js';

const ARTICLE = { url: 'https://example.com/a', slug: 'a', savedAt: '2024-01-01' };
const MOST_CHUNKS = 1000;

const sourceOf = (bytes: Source['bytes'], highlights?: Source): Source => ({
  path: '',
  bytes,
  sibling: () => highlights,
});

describe('the highlights of an article of Omnivore', () => {
  it('are read as far as any library has them, however long their file is', async () => {
    const highlights = sourceOf(async function* () {
      await Promise.resolve();
      for (let chunk = 0; chunk < MOST_CHUNKS; chunk += 1) {
        yield Buffer.from(`> passage ${chunk}\n\n${'x'.repeat(100_000)}\n\n`);
      }
      throw new Error('read to its end');
    });
    const articles = sourceOf(async function* () {
      await Promise.resolve();
      yield Buffer.from(JSON.stringify([ARTICLE]));
    }, highlights);

    const rows: ImportRow[] = [];
    for await (const row of omnivore.rows(articles)) {
      rows.push(row);
    }

    const quotes = Array.from({ length: 10 }, (_, at) => ({ quote: `passage ${at}` }));
    expect(rows).toMatchObject([{ item: { annotations: quotes } }]);
  });
});
