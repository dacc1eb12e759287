/**
 * What a batch does to the tags of items that it does not load: one step from each tag that the database has to
 * what becomes of it at the end, however often it was renamed on the way.
 */
export class WideTags {
  /** The tag that was stored -> the tag it is now; undefined means it is gone. */
  private readonly targets = new Map<string, string | undefined>();

  constructor(private readonly isStored: (id: string) => boolean) {}

  /** Whoever carries the first tag at this point carries the second after it. */
  move(from: string, to: string | undefined): void {
    const sources = [...this.targets].filter(([, target]) => target === from).map(([id]) => id);
    const isUnmoved = this.isStored(from) && !this.targets.has(from);
    for (const source of isUnmoved ? [...sources, from] : sources) {
      this.targets.set(source, to);
    }
  }

  /** The tags of an item that nothing else happened to. */
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
export const replaced = (
  tagIds: readonly string[],
  from: string,
  to: string | undefined,
): readonly string[] => distinct(tagIds.map((id) => (id === from ? to : id)));

const distinct = (ids: readonly (string | undefined)[]): readonly string[] => [
  ...new Set(ids.filter((id) => id !== undefined)),
];
