/** A folder, list or collection of bookmarks. It can be inside another one. */
export interface NamedLevel {
  readonly name: string;
  /** The id of the parent folder, list or collection. Empty at the top level. */
  readonly parentId: string;
}

/**
 * The maximum depth of folders, lists or collections. Real ones nest only a few levels, so deeper nesting is a cycle.
 */
const MAX_DEPTH = 20;

/**
 * Returns the names of the folder with an id and of the folders around it, the outermost first. Returns no names if the
 * id is unknown.
 */
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
