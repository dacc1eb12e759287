import { tagId } from '../list/tag-name.js';
import type { ItemFilter, TimeSpan } from './items-wanted.js';

/** A condition on several tags: an item must have all of them, at least one of them, or none of them. */
export interface TagsCondition {
  readonly kind: 'tags' | 'anyTag' | 'noTag';
  readonly ids: readonly string[];
}

/** A condition on a time of the item: at least `from`, and less than `below`, in the unit of the column. */
export interface SpanCondition {
  readonly kind: 'added' | 'read';
  readonly from?: string;
  readonly below?: string;
}

/** A range of languages: at least `from`, and less than `below`. */
export interface LanguageCondition {
  readonly kind: 'language';
  readonly from: string;
  readonly below: string;
  /** True if few items match. The index of languages then finds them. */
  readonly isRare?: true;
}

/** A condition that only the views of the reader and their digests have. */
export type ReaderCondition =
  | TagsCondition
  | SpanCondition
  | { readonly kind: 'noted' | 'gone' }
  | { readonly kind: 'notInDigest'; readonly listId: string };

const KINDS: ReadonlySet<string> = new Set<ReaderCondition['kind']>([
  ...(['tags', 'anyTag', 'noTag'] as const),
  ...(['added', 'read', 'noted', 'gone', 'notInDigest'] as const),
]);

interface HasKind {
  readonly kind: string;
}

export const isOfReader = (condition: HasKind): condition is ReaderCondition =>
  KINDS.has(condition.kind);

export const isOfTags = (condition: HasKind): condition is TagsCondition => 'ids' in condition;

/** Returns true if the condition is on an annotation or a reading position, which contain only the id of the item. */
export const isOfMarks = ({ kind }: HasKind): boolean =>
  kind === 'annotated' || kind === 'progress';

/** Returns the conditions on tags. The first tag that all items must have is a condition with its own index scan. */
export function tagConditionsOf({
  tag,
  tags = [],
  anyTag,
  noTag,
}: ItemFilter): readonly ({ readonly kind: 'tag'; readonly id: string } | TagsCondition | false)[] {
  const keys = [...(typeof tag === 'object' ? [tag.key] : []), ...tags];
  const [first, ...others] = new Set(keys.map(tagId));
  return [
    first !== undefined && { kind: 'tag', id: first },
    others.length > 0 && { kind: 'tags', ids: others },
    anyTag !== undefined && { kind: 'anyTag', ids: anyTag.map(tagId) },
    noTag !== undefined && { kind: 'noTag', ids: noTag.map(tagId) },
  ];
}

export const timeConditionsOf = ({
  added,
  read,
  hasNote,
  isGone,
}: ItemFilter): readonly (ReaderCondition | false)[] => [
  added !== undefined && { kind: 'added', ...spanOf(added, addedOrderAt) },
  read !== undefined && { kind: 'read', ...spanOf(read, String) },
  hasNote === true && { kind: 'noted' },
  isGone === true && { kind: 'gone' },
];

const spanOf = (
  { from, below }: TimeSpan,
  valueAt: (seconds: number) => string,
): { readonly from?: string; readonly below?: string } => ({
  ...(from !== undefined && { from: valueAt(from) }),
  ...(below !== undefined && { below: valueAt(below) }),
});

const PLACES_OF_A_SECOND = 2n ** 30n;
/** The largest value of a bigint in PostgreSQL. It is a time in the year 2242, which no item has. */
const LAST_PLACE = 2n ** 63n - 1n;

/**
 * Returns a value of `items.added_order` between the items of this second and those of the second before. The sequence
 * number of an item can be negative, so the items of a second are on both sides of the second's own value.
 */
function addedOrderAt(seconds: number): string {
  const place = BigInt(seconds) * PLACES_OF_A_SECOND - PLACES_OF_A_SECOND / 2n;
  return String(place > LAST_PLACE ? LAST_PLACE : place);
}
