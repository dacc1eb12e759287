/** Folders that tools make by themselves: their names say nothing of a page. */
const ROOT_FOLDERS: ReadonlySet<string> = new Set([
  '',
  'bookmarks',
  'bookmarks bar',
  'bookmarks menu',
  'bookmarks toolbar',
  'export',
  'favorites',
  'favorites bar',
  'favourites',
  'favourites bar',
  'imported',
  'mobile bookmarks',
  'other bookmarks',
  'other favorites',
  'other favourites',
  'reading list',
  'unorganized',
  'unsorted',
]);

/** Longer than each of them, with some white space: the name of a folder is looked at with each of its pages. */
const MAX_NAME = 100;

export const isRootFolder = (name: string): boolean =>
  name.length <= MAX_NAME && ROOT_FOLDERS.has(name.trim().toLowerCase());
