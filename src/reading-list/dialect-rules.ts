import {
  Dialect,
  LARGEST_PAGE,
  type PageSize,
} from '../auth/consumers/entities/consumer-key.entity.js';
import type { TimeOrder } from './query/item-order.js';
import type { ItemFilter } from './query/items-wanted.js';

/**
 * The rules in which the response formats of consumer keys differ (docs/decisions/0012). Other code uses these rules
 * and never checks the format itself.
 */
export interface DialectRules {
  /** The value of `status` in the response for an empty list. */
  readonly emptyListStatus: 1 | 2;
  readonly maxCount: number;
  /**
   * The default number of items in a response. `full` applies to requests for the whole list, and `delta` to requests
   * for changes since an earlier call.
   */
  readonly defaultCount: { readonly full: number; readonly delta: number };
  /**
   * Returns the column by which the orders `newest` and `oldest` sort. The column depends on the
   * filter.
   */
  readonly timeOrder: (filter: ItemFilter) => TimeOrder;
  /** Returns the value of `status` in a response of `/v3/send`. */
  readonly sendStatus: (areAllDone: boolean) => 0 | 1;
  /**
   * If true, `action_results` contains the item that an action `add` or `readd` saved. If false, it contains `true`.
   */
  readonly returnsItems: boolean;
}

const PAGE = 30;

const standard: DialectRules = {
  emptyListStatus: 1,
  maxCount: PAGE,
  defaultCount: { full: PAGE, delta: PAGE },
  timeOrder: () => 'time_added',
  sendStatus: (areAllDone) => (areAllDone ? 1 : 0),
  returnsItems: false,
};

const classic: DialectRules = {
  emptyListStatus: 2,
  maxCount: LARGEST_PAGE,
  // Some of Pocket's clients never request a second page of changes, so all changes must be in the first page.
  defaultCount: { full: PAGE, delta: LARGEST_PAGE },
  timeOrder: classicTimeOrder,
  sendStatus: () => 1,
  returnsItems: true,
};

export const DIALECT_RULES: Readonly<Record<Dialect, DialectRules>> = {
  [Dialect.Standard]: standard,
  [Dialect.Classic]: classic,
};

/**
 * Returns the rules of a response format. The consumer key can replace the numbers of items per response
 * (docs/decisions/0039).
 */
export function rulesFor(dialect: Dialect, { maxCount, defaultCount }: PageSize): DialectRules {
  const rules = DIALECT_RULES[dialect];
  return {
    ...rules,
    maxCount: maxCount ?? rules.maxCount,
    defaultCount:
      defaultCount === null ? rules.defaultCount : { full: defaultCount, delta: defaultCount },
  };
}

/**
 * Returns the column by which items are sorted: the time at which they were marked as favorites,
 * archived or added. Changes since an earlier call are always sorted by the time of addition.
 */
function classicTimeOrder({ since, favorite, state }: ItemFilter): TimeOrder {
  if (since !== undefined) {
    return 'time_added';
  }
  if (favorite === true) {
    return 'time_favorited';
  }
  return state === 'archive' ? 'time_read' : 'time_added';
}
