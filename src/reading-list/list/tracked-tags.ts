import { type ActionOutcome, DONE, TOO_MANY_TAGS, UNKNOWN_TAG } from './action-outcome.js';
import { folded } from './item-texts.js';
import type { StoredItem, StoredTag } from './list-state.js';
import { type NamedTag, tagId } from './tag-name.js';
import type { TrackedItem, TrackedItems } from './tracked-items.js';

interface TrackedTag {
  name: string;
  /** Items that are not loaded carry it too. */
  isOutside: boolean;
  /** How many loaded items carry it. */
  carriers: number;
}

/** The tags of a unit of work: how each is shown, and whether it exists, which means that an item carries it. */
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

  /** Hashing a name again for each item would cost more than all else. */
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

  /** How many items of the database carry the tag, which the batch names. */
  storedCountOf(id: string): number {
    return this.storedCounts.get(id) ?? 0;
  }

  /** A loaded item carries the tag from here on; the first spelling is the one shown. */
  gain({ id, name }: NamedTag): void {
    const tag = this.tags.get(id) ?? { name, isOutside: false, carriers: 0 };
    tag.carriers += 1;
    this.tags.set(id, tag);
  }

  /** A loaded item no longer carries the tag; the tag is removed with the last item that carries it. */
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

  /** All items carry the second tag instead of the first; `carriers` of the loaded ones do after that. */
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

  /** Those that are new or shown otherwise than before. */
  newNames(): readonly NamedTag[] {
    return [...this.tags]
      .map(([id, { name }]) => ({ id, name }))
      .filter(({ id, name }) => this.storedNames.get(id) !== name);
  }

  /** A tag that no action names counts as carried by other items: only its spelling matters. */
  private count(id: string, name: string): void {
    const tag = this.tags.get(id) ?? { name, isOutside: true, carriers: 0 };
    tag.carriers += 1;
    this.tags.set(id, tag);
    this.storedNames.set(id, name);
  }
}

export const MAX_TAGS = 50;

/** Which tags the loaded items carry, and what happens to a tag on every item of the list. */
export class ItemTags {
  /** The items of each tag: a batch may rename thousands of tags on thousands of items. */
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

  /** The item's tags and the given ones; undefined when they are too many. */
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

  /** Merges it into a tag that exists already; the spelling of that tag stays. */
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

  /** Keeps the place of the tag in the order of each item; the database does the same to the items that are not loaded. */
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

/** The items of both, in the larger set. */
function united(one: Set<TrackedItem>, other: Set<TrackedItem>): Set<TrackedItem> {
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  for (const item of small) {
    large.add(item);
  }
  return large;
}

/**
 * What a batch does to the tags of items that it does not load: one step from each tag that the database has to
 * what becomes of it at the end, however often it was renamed on the way.
 */
export class BulkTagChanges {
  /** The tag that was stored -> the tag it is now; undefined means it is gone. */
  private readonly targets = new Map<string, string | undefined>();

  constructor(private readonly isStored: (id: string) => boolean) {}

  /** Items that carry the first tag at this point carry the second after it. */
  move(from: string, to: string | undefined): void {
    const sources = [...this.targets].filter(([, target]) => target === from).map(([id]) => id);
    const isUnmoved = this.isStored(from) && !this.targets.has(from);
    for (const source of isUnmoved ? [...sources, from] : sources) {
      this.targets.set(source, to);
    }
  }

  /** The tags of an item that no other action has changed. */
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

/** The tags with one put in the place of another, or taken out. */
const replaced = (
  tagIds: readonly string[],
  from: string,
  to: string | undefined,
): readonly string[] => distinct(tagIds.map((id) => (id === from ? to : id)));

const distinct = (ids: readonly (string | undefined)[]): readonly string[] => [
  ...new Set(ids.filter((id) => id !== undefined)),
];
