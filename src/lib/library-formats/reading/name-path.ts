/** A folder, list or collection of bookmarks. It can be inside another folder, list or collection. */
export interface NamedLevel {
  readonly name: string;
  /** The id of the parent folder, list or collection. Empty at the top level. */
  readonly parentId: string;
}

/**
 * The maximum depth of folders, lists or collections. Real folders nest only a few levels. If folders nest deeper, a
 * folder is its own ancestor, and the loop would never end.
 */
const MAX_DEPTH = 20;

/**
 * Returns the name of the folder, list or collection that has the given id, after the names of its ancestors. The
 * outermost name is the first. Returns no names if the id is unknown.
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
