import {
  Dialect,
  LARGEST_PAGE,
  type PageSize,
} from '../auth/consumers/entities/consumer-key.entity.js';
import type { ItemFilter, TimeOrder } from './query/items-wanted.js';

/** Everything in which the dialects differ (docs/decisions/0012); nothing else asks for the dialect. */
export interface DialectRules {
  /** The `status` of a list without items. */
  readonly emptyListStatus: 1 | 2;
  readonly maxCount: number;
  /** How many items a call gets that does not say; a delta is what changed since an earlier call. */
  readonly defaultCount: { readonly full: number; readonly delta: number };
  /** The time that `newest` and `oldest` mean. */
  readonly timeOrder: (filter: ItemFilter) => TimeOrder;
  /** The `status` of a call of send. */
  readonly sendStatus: (areAllDone: boolean) => 0 | 1;
  /** `action_results` holds the item that `add` and `readd` put into the list, where others hold true. */
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
  // Some of the original's clients never ask for a second page of a delta.
  defaultCount: { full: PAGE, delta: LARGEST_PAGE },
  timeOrder: classicTimeOrder,
  sendStatus: () => 1,
  returnsItems: true,
};

export const DIALECT_RULES: Readonly<Record<Dialect, DialectRules>> = {
  [Dialect.Standard]: standard,
  [Dialect.Classic]: classic,
};

/** The rules of a dialect, with pages as large as the key of the application says (docs/decisions/0039). */
export function rulesFor(dialect: Dialect, { maxCount, defaultCount }: PageSize): DialectRules {
  const rules = DIALECT_RULES[dialect];
  return {
    ...rules,
    maxCount: maxCount ?? rules.maxCount,
    defaultCount:
      defaultCount === null ? rules.defaultCount : { full: defaultCount, delta: defaultCount },
  };
}

/** A delta is in the order of addition, whatever it is narrowed to. */
function classicTimeOrder({ since, favorite, state }: ItemFilter): TimeOrder {
  if (since !== undefined) {
    return 'time_added';
  }
  if (favorite === true) {
    return 'time_favorited';
  }
  return state === 'archive' ? 'time_read' : 'time_added';
}
