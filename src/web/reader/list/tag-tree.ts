import { folded } from '../../../reading-list/list/item-texts.js';

const SEPARATOR = '/';

/** A tag in the tree of tags, in which `travel/italy` is below `travel`. */
export interface TreeTag<Tag> {
  readonly tag: Tag;
  /** The number of tags above the tag. */
  readonly depth: number;
  /** The start of the name that the tags above show already, such as `travel/`. Empty for tags at the top. */
  readonly above: string;
}

/**
 * Returns the tags in the order of a tree: each tag is followed by the tags below it. A tag is only below tags that
 * exist, so `a/b` is at the top if there is no tag `a`. Upper and lower case do not matter. `collator` decides the order
 * of tags with the same parent.
 */
export function inTree<Tag extends { readonly name: string }>(
  tags: readonly Tag[],
  collator: Pick<Intl.Collator, 'compare'>,
): TreeTag<Tag>[] {
  const depths = new Map<string, number>();
  return tags
    .map((tag) => ({ tag, parts: folded(tag.name).split(SEPARATOR) }))
    .toSorted((one, other) => compareParts(one.parts, other.parts, collator))
    .map(({ tag, parts }) => {
      const parent = ancestorsOf(parts).find((one) => depths.has(one.join(SEPARATOR))) ?? [];
      const depth = (depths.get(parent.join(SEPARATOR)) ?? -1) + 1;
      depths.set(parts.join(SEPARATOR), depth);
      return { tag, depth, above: firstParts(tag.name, parent.length) };
    });
}

/** Returns the parts of the names of all tags that may be above a tag, the nearest one first. */
const ancestorsOf = (parts: readonly string[]): (readonly string[])[] =>
  parts.slice(1).map((_, index) => parts.slice(0, parts.length - 1 - index));

const firstParts = (name: string, count: number): string =>
  name
    .split(SEPARATOR)
    .slice(0, count)
    .map((part) => `${part}${SEPARATOR}`)
    .join('');

function compareParts(
  ones: readonly string[],
  others: readonly string[],
  { compare }: Pick<Intl.Collator, 'compare'>,
): number {
  for (const [index, one] of ones.entries()) {
    const other = others[index];
    if (other === undefined) {
      return 1;
    }
    const order = compare(one, other) || Number(one > other) - Number(one < other);
    if (order !== 0) {
      return order;
    }
  }
  return ones.length - others.length;
}
