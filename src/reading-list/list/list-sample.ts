import { type Condition, TAGGED_ONES } from './narrowing.js';

/** What a few items tell of all, in the order wanted. */
export interface ListSample {
  /** Of the items in the first part of the list, a share between 0 and 1, the share that passes conditions. */
  share(conditions: readonly Condition[], part: number): number;
  readonly page: PageSample;
}

/** Where the items that pass all conditions are. */
export interface PageSample {
  /** The part of the list that comes before them. */
  readonly before: number;
  /** The part of the list in which the first of them is, all but surely. */
  readonly seen: number;
  /** Their share of the whole list. */
  readonly share: number;
  /** How likely it is that they are elsewhere. */
  readonly doubt: number;
}

/** A sample of so few says nothing about a part. */
const FEWEST = 25;

/** Conditions that have nothing to do with each other, nor with the order. */
export function independent(
  conditions: readonly Condition[],
  shares: readonly number[],
): ListSample {
  const all = [...conditions, TAGGED_ONES];
  const shareOf = (wanted: readonly Condition[]): number =>
    wanted.reduce((share, one) => share * (shares[all.indexOf(one)] ?? 1), 1);
  return { share: shareOf, page: { before: 0, seen: 0, share: shareOf(conditions), doubt: 0 } };
}

/** Items that were looked at: for each, in order, the bits of the conditions that it passes. */
export function seen(conditions: readonly Condition[], passed: readonly number[]): ListSample {
  const all = [...conditions, TAGGED_ONES];
  const bitsOf = (wanted: readonly Condition[]): number =>
    wanted.reduce((bits, one) => bits | (1 << all.indexOf(one)), 0);
  const count = (bits: number, among: readonly number[]): number =>
    among.filter((one) => (one & bits) === bits).length;
  return {
    share: (wanted, part) => {
      const among = passed.slice(0, Math.max(FEWEST, Math.ceil(part * passed.length)));
      // None among so many says no more than that there are few.
      return Math.max(count(bitsOf(wanted), among), wanted.length > 0 ? 0.5 : 0) / among.length;
    },
    page: pageOf(bitsOf(conditions), passed),
  };
}

/** The place in the sample tells the place in the list no better than chance lets it. */
const DEVIATIONS = 3;

/** Imports and habits put what passes at one end of an order: that matters more than how much of it there is. */
function pageOf(bits: number, passed: readonly number[]): PageSample {
  const places = passed.flatMap((one, at) => ((one & bits) === bits ? [at] : []));
  const [first] = places;
  return first === undefined
    ? unseen(bits, passed)
    : {
        before: Math.max(0, first - passed.length / places.length / 2) / passed.length,
        seen: (first + DEVIATIONS * Math.sqrt(first + 1)) / passed.length,
        share: places.length / passed.length,
        doubt: 1 / (places.length + 1),
      };
}

/** Nine times of ten, conditions have nothing to do with each other. */
const ODDS = 9;

/** Not one was seen: that is chance, if few are to be expected, or the conditions exclude each other. */
function unseen(bits: number, passed: readonly number[]): PageSample {
  const share = Array.from({ length: Math.ceil(Math.log2(bits + 1)) }, (_, at) => {
    const count = passed.filter((one) => (one & (1 << at)) !== 0).length;
    return Math.max(count, 0.5) / passed.length;
  }).reduce((product, one) => product * one, 1);
  const chance = ODDS * (1 - share) ** passed.length;
  return { before: 0, seen: 0, share, doubt: 1 / (chance + 1) };
}
