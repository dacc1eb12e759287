import { type ActionOutcome, DONE, TOO_MANY_TAGS, UNKNOWN_TAG } from './action-outcome.js';
import { folded } from './item-texts.js';
import type { StoredItem, StoredTag } from './list-state.js';
import { type NamedTag, tagId } from './tag-name.js';
import type { TrackedItem, TrackedItems } from './tracked-items.js';

interface TrackedTag {
  name: string;
  /** True if items that are not loaded also have the tag. */
  isOutside: boolean;
  /** The number of loaded items with the tag. */
  carriers: number;
}

/** The tags of the loaded part of a list, with their spellings. A tag exists as long as at least one item has it. */
export class TrackedTags {
  private readonly tags = new Map<string, TrackedTag>();
  private readonly storedNames = new Map<string, string>();
  private readonly storedCounts = new Map<string, number>();
  private readonly ids = new Map<string, string>();

  constructor(named: readonly StoredTag[], items: readonly StoredItem[]) {
    for (const name of items.flatMap((item) => item.tags)) {
      this.count(this.idOf(name), name);
    }
    for (const { id, name, itemCount } of named) {
      const carriers = this.tags.get(id)?.carriers ?? 0;
      this.tags.set(id, { name, carriers, isOutside: itemCount > carriers });
      this.storedNames.set(id, name);
      this.storedCounts.set(id, itemCount);
    }
  }

  idsOf(storedNames: readonly string[]): readonly string[] {
    return storedNames.map((name) => this.idOf(name));
  }

  /** Returns the id of a stored tag. Caches the id of each name, because hashing the same name again would be slow. */
  private idOf(storedName: string): string {
    const known = this.ids.get(storedName) ?? tagId(folded(storedName));
    this.ids.set(storedName, known);
    return known;
  }

  exists(id: string): boolean {
    return this.tags.has(id);
  }

  isStored(id: string): boolean {
    return this.storedNames.has(id);
  }

  nameOf(id: string): string {
    return this.tags.get(id)?.name ?? '';
  }

  storedNameOf(id: string): string {
    return this.storedNames.get(id) ?? '';
  }

  /** Returns the number of stored items with the tag. Returns 0 for tags that no action contains. */
  storedCountOf(id: string): number {
    return this.storedCounts.get(id) ?? 0;
  }

  /** Increases the number of loaded items with the tag. A new tag is shown in the spelling that is used first. */
  gain({ id, name }: NamedTag): void {
    const tag = this.tags.get(id) ?? { name, isOutside: false, carriers: 0 };
    tag.carriers += 1;
    this.tags.set(id, tag);
  }

  /** Decreases the number of loaded items with the tag. Removes the tag if no item has it any more. */
  lose(id: string): void {
    const tag = this.tags.get(id);
    if (tag === undefined) {
      return;
    }
    tag.carriers -= 1;
    if (tag.carriers === 0 && !tag.isOutside) {
      this.tags.delete(id);
    }
  }

  /** Replaces one tag with another on all items. `carriers` is the new number of loaded items with the new tag. */
  move(from: string, to: NamedTag, carriers: number): void {
    const { isOutside } = this.tags.get(from) ?? { isOutside: false };
    const target = this.tags.get(to.id) ?? { name: to.name, isOutside: false };
    this.tags.delete(from);
    this.tags.set(to.id, {
      name: target.name,
      isOutside: target.isOutside || isOutside,
      carriers,
    });
  }

  respell({ id, name }: NamedTag): void {
    const tag = this.tags.get(id);
    if (tag !== undefined) {
      tag.name = name;
    }
  }

  remove(id: string): void {
    this.tags.delete(id);
  }

  newNames(): readonly NamedTag[] {
    return [...this.tags]
      .map(([id, { name }]) => ({ id, name }))
      .filter(({ id, name }) => this.storedNames.get(id) !== name);
  }

  /**
   * Increases the number of loaded items with the tag. Assumes that other items have the tag too,
   * because the stored number of items is known only for tags that actions contain.
   */
  private count(id: string, name: string): void {
    const tag = this.tags.get(id) ?? { name, isOutside: true, carriers: 0 };
    tag.carriers += 1;
    this.tags.set(id, tag);
    this.storedNames.set(id, name);
  }
}

export const MAX_TAGS = 50;

/** The tags of the loaded items, and the renames and deletions of tags on all items of the list. */
export class ItemTags {
  /**
   * Maps each tag to the loaded items with this tag, so that a call can rename thousands of tags on
   * thousands of items quickly.
   */
  private readonly carriers = new Map<string, Set<TrackedItem>>();

  constructor(
    items: TrackedItems,
    private readonly tags: TrackedTags,
    private readonly bulk: BulkTagChanges,
  ) {
    for (const item of items.all()) {
      this.carry(item, item.state.tagIds);
    }
  }

  of(item: TrackedItem | undefined): NamedTag[] {
    const ids = item?.state.tagIds ?? [];
    return ids.map((id) => ({ id, name: this.tags.nameOf(id) }));
  }

  /** Returns the tags of the item together with the added tags. Returns undefined if there are more than MAX_TAGS. */
  with(item: TrackedItem | undefined, added: readonly NamedTag[]): NamedTag[] | undefined {
    const there = this.of(item);
    const tags = [...there, ...added.filter(({ id }) => !there.some((tag) => tag.id === id))];
    return tags.length > MAX_TAGS ? undefined : tags;
  }

  set(item: TrackedItem, tags: readonly NamedTag[] | undefined): ActionOutcome {
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

  /**
   * Renames a tag on all items. If the new tag already exists, merges the tags and keeps the spelling of the existing
   * tag.
   */
  rename(from: NamedTag, to: NamedTag): ActionOutcome {
    if (!this.tags.exists(from.id)) {
      return UNKNOWN_TAG;
    }
    if (from.id !== to.id) {
      this.replaceAll(from.id, to.id);
      this.tags.move(from.id, to, this.carriersOf(to.id).size);
    } else if (this.tags.nameOf(to.id) !== to.name) {
      this.tags.respell(to);
      this.bulk.move(to.id, to.id);
    }
    return DONE;
  }

  delete({ id }: NamedTag): ActionOutcome {
    this.replaceAll(id, undefined);
    this.tags.remove(id);
    return DONE;
  }

  /**
   * Updates the counters of the tags that an item gains or loses. A tag that the item already has keeps its spelling.
   */
  private count(before: readonly string[], after: readonly NamedTag[]): void {
    const kept = new Set(after.map(({ id }) => id));
    for (const tag of after.filter(({ id }) => !before.includes(id))) {
      this.tags.gain(tag);
    }
    for (const id of before.filter((lost) => !kept.has(lost))) {
      this.tags.lose(id);
    }
  }

  /**
   * Replaces or removes a tag on all loaded items. In each item, the new tag gets the position of the old tag. In the
   * database, an SQL statement makes the same change to items that are not loaded.
   */
  private replaceAll(from: string, to: string | undefined): void {
    const carriers = this.carriersOf(from);
    const others = to === undefined ? new Set<TrackedItem>() : this.carriersOf(to);
    for (const item of carriers) {
      const { tagIds } = item.state;
      const merges = to === undefined || others.has(item);
      item.retag(merges ? replaced(tagIds, from, to) : tagIds.with(tagIds.indexOf(from), to));
    }
    if (to !== undefined) {
      this.carriers.set(to, united(carriers, others));
    }
    this.carriers.delete(from);
    this.bulk.move(from, to);
  }

  private carriersOf(id: string): Set<TrackedItem> {
    return this.carriers.get(id) ?? new Set();
  }

  private carry(item: TrackedItem, ids: readonly string[]): void {
    for (const id of ids) {
      this.carriers.set(id, this.carriersOf(id).add(item));
    }
  }

  private drop(item: TrackedItem, ids: readonly string[]): void {
    for (const id of ids) {
      this.carriersOf(id).delete(item);
    }
  }
}

function united(one: Set<TrackedItem>, other: Set<TrackedItem>): Set<TrackedItem> {
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  for (const item of small) {
    large.add(item);
  }
  return large;
}

/**
 * The renames and deletions of tags on items that are not loaded. Maps each stored tag directly to its final tag, even
 * if a call renames the tag several times.
 */
export class BulkTagChanges {
  /** Maps the id of a stored tag to the id of its current tag. A deleted tag maps to undefined. */
  private readonly targets = new Map<string, string | undefined>();

  constructor(private readonly isStored: (id: string) => boolean) {}

  /** Replaces `from` with `to` on all items that have `from` at this point. If `to` is undefined, removes `from`. */
  move(from: string, to: string | undefined): void {
    const sources = [...this.targets].filter(([, target]) => target === from).map(([id]) => id);
    const isUnmoved = this.isStored(from) && !this.targets.has(from);
    for (const source of isUnmoved ? [...sources, from] : sources) {
      this.targets.set(source, to);
    }
  }

  /** Returns the tags of an item after the renames and deletions. `tagIds` are the stored tags of the item. */
  applyTo(tagIds: readonly string[]): readonly string[] {
    if (!tagIds.some((id) => this.targets.has(id))) {
      return tagIds;
    }
    return distinct(tagIds.map((id) => (this.targets.has(id) ? this.targets.get(id) : id)));
  }

  entries(): readonly (readonly [string, string | undefined])[] {
    return [...this.targets];
  }
}

const replaced = (
  tagIds: readonly string[],
  from: string,
  to: string | undefined,
): readonly string[] => distinct(tagIds.map((id) => (id === from ? to : id)));

const distinct = (ids: readonly (string | undefined)[]): readonly string[] => [
  ...new Set(ids.filter((id) => id !== undefined)),
];
