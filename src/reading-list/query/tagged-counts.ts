import type { Condition } from './conditions.js';
import { isOfTags } from './reader-conditions.js';

/** The stored numbers of items with some tags, by the id of the tag. Contains all requested tags. */
export type TaggedCounts = ReadonlyMap<string, number>;

/** Reads the stored numbers of items with some tags. */
export const TAGGED_COUNTS = `
  SELECT tag_id, item_count FROM tags WHERE user_id = $1 AND tag_id = ANY ($2::bigint[])`;

export interface TaggedRow {
  readonly tag_id: string;
  readonly item_count: number;
}

/** Returns the ids of all tags in the conditions. */
export const tagIdsOf = (conditions: readonly Condition[]): readonly string[] =>
  conditions.flatMap((one) => (isOfTags(one) ? one.ids : one.kind === 'tag' ? [one.id] : []));

/** Sorts the tags of each condition that needs only one of its tags, so that the most frequent tag is read first. */
const frequentTagsFirst = (
  conditions: readonly Condition[],
  countOf: (id: string) => number,
): readonly Condition[] =>
  conditions.map((one) =>
    one.kind === 'anyTag'
      ? { ...one, ids: one.ids.toSorted((id, other) => countOf(other) - countOf(id)) }
      : one,
  );

/**
 * Returns the conditions with their tags in the order in which a plan should read them. The rarest of the tags that all
 * items must have is the first one, which has its own index scan. The plan then tests only the items with this tag for
 * the other tags.
 */
export function inReadingOrder(
  conditions: readonly Condition[],
  counts: TaggedCounts | undefined,
): readonly Condition[] {
  const countOf = (id: string): number => counts?.get(id) ?? 0;
  const all = frequentTagsFirst(conditions, countOf);
  const ofAll = all.filter(({ kind }) => kind === 'tag' || kind === 'tags');
  const [id, ...ids] = tagIdsOf(ofAll).toSorted((one, other) => countOf(one) - countOf(other));
  return id === undefined || ids.length === 0
    ? all
    : [...all.filter((one) => !ofAll.includes(one)), { kind: 'tag', id }, { kind: 'tags', ids }];
}
