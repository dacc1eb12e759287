import { BookPictures } from './book-pictures.js';

const SOURCES = Array.from({ length: 100 }, (_, at) => `https://example.com/${at}.jpg`);

describe('the pictures of a book', () => {
  it('are not asked for any more when there are more bytes than it has room for', async () => {
    const asked: string[] = [];
    const findWithin = (_: string, src: string) => {
      asked.push(src);
      return Promise.resolve({ type: 'image/jpeg' as const, bytes: Buffer.alloc(1000) });
    };
    const pictures = new BookPictures('7', { findWithin }, 4000);

    const { paths, isCut } = await pictures.find(SOURCES);

    expect([...paths.keys()]).toEqual(SOURCES.slice(0, 4));
    expect(isCut).toBe(true);
    expect(asked.length).toBeLessThan(10);
  });

  it('are all there where they fit, and are in the book once', async () => {
    const findWithin = (_: string, src: string) =>
      Promise.resolve({ type: 'image/jpeg' as const, bytes: Buffer.from(src) });
    const pictures = new BookPictures('7', { findWithin });

    const found = await pictures.find([...SOURCES, ...SOURCES]);
    const placed = SOURCES.map((src) => pictures.place(src, found));

    expect([found.paths.size, found.isCut]).toEqual([100, false]);
    expect(placed).toEqual(SOURCES.map((src) => Buffer.from(src)));
    expect((await pictures.find(SOURCES)).bytes.size).toBe(0);
  });
});
