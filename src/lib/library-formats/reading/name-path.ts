/** A folder, list or collection in another one. */
export interface NamedLevel {
  readonly name: string;
  /** Empty at the top. */
  readonly parentId: string;
}

/** Lists nest a few levels. Deeper ones are a cycle. */
const MAX_DEPTH = 20;

/** Returns the names from the top to the level with this id. Empty for an unknown id. */
export function pathOfNames(
  id: string,
  levels: ReadonlyMap<string, NamedLevel>,
): readonly string[] {
  const names: string[] = [];
  let level = levels.get(id);
  while (level !== undefined && names.length < MAX_DEPTH) {
    names.unshift(level.name);
    level = levels.get(level.parentId);
  }
  return names;
}
