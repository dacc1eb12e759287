import { FirstRows } from './first-rows.js';

const at = (line: number, path = '') => ({ path, line });
/** As ids of items are: above 2^52. */
const idOf = (page: number): string => String(2 ** 52 + page * 7919);

describe('FirstRows', () => {
  it('returns the first row of a page for each later row', () => {
    const rows = new FirstRows();

    expect(rows.firstBefore(idOf(1), at(2, 'a.csv'))).toBeUndefined();
    expect(rows.firstBefore(idOf(2), at(3, 'a.csv'))).toBeUndefined();
    expect(rows.firstBefore(idOf(1), at(2, 'b.csv'))).toEqual(at(2, 'a.csv'));
    expect(rows.firstBefore(idOf(1), at(3, 'b.csv'))).toEqual(at(2, 'a.csv'));
  });

  it('keeps all rows when it grows', () => {
    const rows = new FirstRows();
    const pages = Array.from({ length: 5000 }, (_, page) => page);

    pages.forEach((page) => rows.firstBefore(idOf(page), at(page + 1, `${page >> 10}.csv`)));

    expect(pages.map((page) => rows.firstBefore(idOf(page), at(1)))).toEqual(
      pages.map((page) => at(page + 1, `${page >> 10}.csv`)),
    );
  });

  it('remembers a bounded number of pages', () => {
    const rows = new FirstRows(2);
    [1, 2, 3].forEach((page) => rows.firstBefore(idOf(page), at(page)));

    expect(rows.firstBefore(idOf(2), at(4))).toEqual(at(2));
    expect(rows.firstBefore(idOf(3), at(5))).toBeUndefined();
  });
});
