import { folded } from './folding.js';
import type { StoredItem, StoredTag } from './stored-slice.js';
import { type NamedTag, tagId } from './tag-name.js';

interface SliceTag {
  name: string;
  /** Items outside the slice carry it too. */
  isOutside: boolean;
  /** How many items of the slice carry it. */
  carriers: number;
}

/** The tags of a slice: how each is shown, and whether it exists, which means that an item carries it. */
export class SliceTags {
  private readonly tags = new Map<string, SliceTag>();
  private readonly storedNames = new Map<string, string>();
  private readonly ids = new Map<string, string>();

  constructor(named: readonly StoredTag[], items: readonly StoredItem[]) {
    for (const name of items.flatMap((item) => item.tags)) {
      this.count(this.idOf(name), name);
    }
    for (const { id, name, itemCount } of named) {
      const carriers = this.tags.get(id)?.carriers ?? 0;
      this.tags.set(id, { name, carriers, isOutside: itemCount > carriers });
      this.storedNames.set(id, name);
    }
  }

  idsOf(storedNames: readonly string[]): readonly string[] {
    return storedNames.map((name) => this.idOf(name));
  }

  /** Hashing a name again for each item would be dear. */
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

  /** An item of the slice carries the tag from here on; the first spelling is the one shown. */
  gain({ id, name }: NamedTag): void {
    const tag = this.tags.get(id) ?? { name, isOutside: false, carriers: 0 };
    tag.carriers += 1;
    this.tags.set(id, tag);
  }

  /** An item of the slice does not carry the tag any more; the last one takes it along. */
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

  /** All items carry the second tag instead of the first; `carriers` of the slice do after that. */
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

  /** Of a tag that no action names it matters only how it is shown: it counts as carried outside. */
  private count(id: string, name: string): void {
    const tag = this.tags.get(id) ?? { name, isOutside: true, carriers: 0 };
    tag.carriers += 1;
    this.tags.set(id, tag);
    this.storedNames.set(id, name);
  }
}
