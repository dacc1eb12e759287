import { conditionsOf } from './conditions.js';
import { listSizes } from './list-sizes.js';

const ITEMS = 200_000;

/** Returns the share of the list that a scan is expected to read until it finds a page of 30 PDF documents. */
function partWith(hits: readonly number[]): number {
  const list = { item_count: ITEMS, facet_counts: '200000', has_search_index: true };
  const passed = Array.from({ length: 500 }, (_, at) => (hits.includes(at) ? 1 : 0));
  return listSizes({ list }, conditionsOf({ isPdf: true }), { passed }).partWith(30);
}

const evenly = (count: number): number[] =>
  Array.from({ length: count }, (_, at) => Math.floor((at * 500) / count));

describe('the expected length of a scan', () => {
  it('is about the share of a page among the matching items if many sampled items match', () => {
    expect(partWith(evenly(100))).toBeCloseTo(30 / (ITEMS / 5), 4);
  });

  it('counts one sampled match less, which may be there by chance', () => {
    expect(partWith(evenly(2))).toBeCloseTo((30 * 500) / ITEMS);
    expect(partWith(evenly(1))).toBeCloseTo((30 * 500 * 2) / ITEMS);
  });

  it('includes the items before the first match', () => {
    expect(partWith([400, 410, 420])).toBeGreaterThan(0.3);
  });
});
