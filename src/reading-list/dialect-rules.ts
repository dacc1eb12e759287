import {
  Dialect,
  LARGEST_PAGE,
  type PageSize,
} from '../auth/consumers/entities/consumer-key.entity.js';
import type { TimeOrder } from './query/item-order.js';
import type { ItemFilter } from './query/items-wanted.js';

/** The rules in which the dialects differ (docs/decisions/0012). Other code never checks the dialect itself. */
export interface DialectRules {
  /** The `status` of a list without items. */
  readonly emptyListStatus: 1 | 2;
  readonly maxCount: number;
  /**
   * The default number of items in an answer. A full list and a delta (the changes since an earlier call) have separate
   * defaults.
   */
  readonly defaultCount: { readonly full: number; readonly delta: number };
  /** Returns the time that the orders `newest` and `oldest` use for this filter. */
  readonly timeOrder: (filter: ItemFilter) => TimeOrder;
  /** Returns the `status` of an answer of send. */
  readonly sendStatus: (areAllDone: boolean) => 0 | 1;
  /** If true, `action_results` contains the item that `add` or `readd` saved. If false, it contains `true`. */
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
  // Some of Pocket's clients never request a second page of a delta.
  defaultCount: { full: PAGE, delta: LARGEST_PAGE },
  timeOrder: classicTimeOrder,
  sendStatus: () => 1,
  returnsItems: true,
};

export const DIALECT_RULES: Readonly<Record<Dialect, DialectRules>> = {
  [Dialect.Standard]: standard,
  [Dialect.Classic]: classic,
};

/** Returns the rules of a dialect, adjusted to the page sizes of the consumer key (docs/decisions/0039). */
export function rulesFor(dialect: Dialect, { maxCount, defaultCount }: PageSize): DialectRules {
  const rules = DIALECT_RULES[dialect];
  return {
    ...rules,
    maxCount: maxCount ?? rules.maxCount,
    defaultCount:
      defaultCount === null ? rules.defaultCount : { full: defaultCount, delta: defaultCount },
  };
}

/** Returns the time to sort by. Deltas are always sorted by time of addition, regardless of the filter. */
function classicTimeOrder({ since, favorite, state }: ItemFilter): TimeOrder {
  if (since !== undefined) {
    return 'time_added';
  }
  if (favorite === true) {
    return 'time_favorited';
  }
  return state === 'archive' ? 'time_read' : 'time_added';
}
