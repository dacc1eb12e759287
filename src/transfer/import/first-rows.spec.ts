import type { ItemToImport, ReadRow } from '../../lib/library-formats/format.js';
import { FirstRows } from './first-rows.js';

const at = (line: number, path = '') => ({ path, line });
const row = (line: number, path = '', item: Partial<ItemToImport> = {}): ReadRow => ({
  place: at(line, path),
  item: { url: 'https://example.com/', ...item },
});
const NOTHING_SAID = { saysStatus: false, saysFavorite: false, asOf: 0 };
/** Returns a number like an item id, which is above 2^52. */
const idOf = (page: number): string => String(2 ** 52 + page * 7919);

describe('FirstRows', () => {
  it('returns the first row of a page for each later row', () => {
    const rows = new FirstRows();

    expect(rows.before(idOf(1), row(2, 'a.csv'))).toBeUndefined();
    expect(rows.before(idOf(2), row(3, 'a.csv'))).toBeUndefined();
    expect(rows.before(idOf(1), row(2, 'b.csv'))).toMatchObject({ first: at(2, 'a.csv') });
    expect(rows.before(idOf(1), row(3, 'b.csv'))).toMatchObject({ first: at(2, 'a.csv') });
  });

  it('returns what the earlier rows of a page say', () => {
    const rows = new FirstRows();
    rows.before(idOf(1), row(1, '', { timeAdded: 7, timeUpdated: NaN }));
    rows.before(idOf(1), row(2, '', { status: 0, timeAdded: 5 }));

    expect(rows.before(idOf(1), row(3, '', { favorite: 1, timeRead: 9 }))).toEqual({
      first: at(1),
      saysStatus: true,
      saysFavorite: false,
      asOf: 7,
    });
    expect(rows.before(idOf(1), row(4))).toMatchObject({ saysFavorite: true, asOf: 9 });
  });

  it('keeps all rows when it grows', () => {
    const rows = new FirstRows();
    const pages = Array.from({ length: 5000 }, (_, page) => page);

    pages.forEach((page) => rows.before(idOf(page), row(page + 1, `${page >> 10}.csv`)));

    expect(pages.map((page) => rows.before(idOf(page), row(1)))).toEqual(
      pages.map((page) => ({ ...NOTHING_SAID, first: at(page + 1, `${page >> 10}.csv`) })),
    );
  });

  it('remembers a bounded number of pages', () => {
    const rows = new FirstRows(2);
    [1, 2, 3].forEach((page) => rows.before(idOf(page), row(page)));

    expect(rows.before(idOf(2), row(4))).toMatchObject({ first: at(2) });
    expect(rows.before(idOf(3), row(5))).toBeUndefined();
  });
});
