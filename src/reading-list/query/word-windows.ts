import { isBeside, isInSet } from './conditions.js';
import type { WordRange } from './items-wanted.js';
import type { IdSet } from './page-plan.js';
import { costOfNear, type Facts } from './set-costs.js';

interface WordWindow {
  readonly plan: IdSet;
  readonly cost: number;
}

/**
 * Returns a plan that reads only the articles with the fewest or the most words, if the list is sorted by the number of
 * words. No index has this order, so every other plan tests all articles. The sample shows how many words the last
 * article of the page has at most, or at least.
 */
export function wordWindows({ query, sizes, costs }: Facts): readonly WordWindow[] {
  const { conditions, page, sortKey } = query;
  const by = conditions.find((one) => one.kind === 'words');
  const sample = sizes.sampleByWords;
  if (by === undefined || sample === undefined || page.after?.kind === 'tombstone') {
    return [];
  }
  const rest = behindStart(by, page.after?.key, sortKey.direction);
  const counts = sample.words.filter((count) => isWithin(count, rest));
  const perSampled = sizes.items / sample.sampled;
  const end = counts[rankBehind((page.offset + page.count) / perSampled) - 1];
  if (end === undefined) {
    return [];
  }
  const window = upTo(rest, end, sortKey.direction);
  const found = counts.filter((count) => isWithin(count, window)).length * perSampled;
  const read = (found * sizes.share([by], 1)) / sizes.share(conditions, 1);
  const others = conditions.filter((one) => !isInSet(one, by));
  const near = others.filter((one) => isBeside(one, 'added_order'));
  const test =
    costOfNear({ query, sizes, costs }, near) + (near.length === others.length ? 0 : costs.row);
  const plan = { kind: 'id set', by, window } as const;
  return [{ plan, cost: sizes.items * costs.entry + read * test }];
}

/** Returns the part of a range that can contain items after the start position of the page. */
function behindStart(
  { from, below }: WordRange,
  start: string | undefined,
  direction: 'ASC' | 'DESC',
): WordRange {
  if (start === undefined) {
    return { from, below };
  }
  return direction === 'ASC'
    ? { from: Math.max(from, Number(start)), below }
    : { from, below: Math.min(below, Number(start) + 1) };
}

/** Returns the part of a range from its beginning in the sort order up to this number of words. */
const upTo = ({ from, below }: WordRange, end: number, direction: 'ASC' | 'DESC'): WordRange =>
  direction === 'ASC'
    ? { from, below: Math.min(below, end + 1) }
    : { from: Math.max(from, end), below };

const isWithin = (count: number, { from, below }: WordRange): boolean =>
  count >= from && count < below;

/**
 * Returns how many sampled items must be in the window, so that it almost certainly contains the page. `expected` is
 * the number of sampled items on the page and before it. Its standard deviation is its square root.
 */
const rankBehind = (expected: number): number => Math.ceil(expected + 3 * Math.sqrt(expected) + 2);
