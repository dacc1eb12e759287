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

export const isRootFolder = (name: string): boolean => ROOT_FOLDERS.has(name.trim().toLowerCase());
