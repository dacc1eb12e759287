import { DONE, type Outcome, TOO_MANY_TAGS, UNKNOWN_TAG } from './outcome.js';
import type { SliceItem } from './slice-item.js';
import type { SliceItems } from './slice-items.js';
import type { SliceTags } from './slice-tags.js';
import type { NamedTag } from './tag-name.js';
import { replaced, type WideTags } from './wide-tags.js';

export const MAX_TAGS = 50;

/** Which tags the items of a slice carry, and what happens to a tag on every item of the list. */
export class ItemTags {
  /** Who carries each tag: a batch may rename thousands of tags on thousands of items. */
  private readonly carriers = new Map<string, Set<SliceItem>>();

  constructor(
    items: SliceItems,
    private readonly tags: SliceTags,
    private readonly wide: WideTags,
  ) {
    for (const item of items.all()) {
      this.carry(item, item.state.tagIds);
    }
  }

  of(item: SliceItem | undefined): NamedTag[] {
    const ids = item?.state.tagIds ?? [];
    return ids.map((id) => ({ id, name: this.tags.nameOf(id) }));
  }

  /** The item's tags and the given ones; undefined when they are too many. */
  with(item: SliceItem | undefined, added: readonly NamedTag[]): NamedTag[] | undefined {
    const there = this.of(item);
    const tags = [...there, ...added.filter(({ id }) => !there.some((tag) => tag.id === id))];
    return tags.length > MAX_TAGS ? undefined : tags;
  }

  set(item: SliceItem, tags: readonly NamedTag[] | undefined): Outcome {
    if (tags === undefined || tags.length > MAX_TAGS) {
      return TOO_MANY_TAGS;
    }
    const before = item.state.tagIds;
    const after = tags.map(({ id }) => id);
    if (before.length !== after.length || !after.every((id) => before.includes(id))) {
      this.count(before, tags);
      this.drop(item, before);
      item.change({ tagIds: after });
      this.carry(item, after);
    }
    return { ok: true, itemId: item.itemId };
  }

  /** Into a tag that exists, it merges; the name shown is the one that was there. */
  rename(from: NamedTag, to: NamedTag): Outcome {
    if (!this.tags.exists(from.id)) {
      return UNKNOWN_TAG;
    }
    if (from.id !== to.id) {
      this.replaceAll(from.id, to.id);
      this.tags.move(from.id, to, this.carriersOf(to.id).size);
    } else if (this.tags.nameOf(to.id) !== to.name) {
      this.tags.respell(to);
      this.wide.move(to.id, to.id);
    }
    return DONE;
  }

  delete({ id }: NamedTag): Outcome {
    this.replaceAll(id, undefined);
    this.tags.remove(id);
    return DONE;
  }

  /** A tag that is kept keeps its spelling, even if this item is the only one that carries it. */
  private count(before: readonly string[], after: readonly NamedTag[]): void {
    const kept = new Set(after.map(({ id }) => id));
    for (const tag of after.filter(({ id }) => !before.includes(id))) {
      this.tags.gain(tag);
    }
    for (const id of before.filter((lost) => !kept.has(lost))) {
      this.tags.lose(id);
    }
  }

  /** Keeps the place of the tag in the order of each item; the store does the same to the items outside. */
  private replaceAll(from: string, to: string | undefined): void {
    const carriers = this.carriersOf(from);
    const others = to === undefined ? new Set<SliceItem>() : this.carriersOf(to);
    for (const item of carriers) {
      const { tagIds } = item.state;
      const merges = to === undefined || others.has(item);
      item.retag(merges ? replaced(tagIds, from, to) : tagIds.with(tagIds.indexOf(from), to));
    }
    if (to !== undefined) {
      this.carriers.set(to, united(carriers, others));
    }
    this.carriers.delete(from);
    this.wide.move(from, to);
  }

  private carriersOf(id: string): Set<SliceItem> {
    return this.carriers.get(id) ?? new Set();
  }

  private carry(item: SliceItem, ids: readonly string[]): void {
    for (const id of ids) {
      this.carriers.set(id, this.carriersOf(id).add(item));
    }
  }

  private drop(item: SliceItem, ids: readonly string[]): void {
    for (const id of ids) {
      this.carriersOf(id).delete(item);
    }
  }
}

/** The items of both, in the larger set. */
function united(one: Set<SliceItem>, other: Set<SliceItem>): Set<SliceItem> {
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  for (const item of small) {
    large.add(item);
  }
  return large;
}
