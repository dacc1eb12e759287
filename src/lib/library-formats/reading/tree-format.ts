import type { Format, ImportRow, ItemToImport, Source } from '../format.js';
import { type LeftOut, namesLeftOut, type NotImportedFields } from '../not-imported.js';
import { NoItem, refused, rowFrom } from './item-from.js';
import { JsonError } from './json-reader.js';
import { type TreeNode, treeNodes } from './json-tree.js';
import type { Members } from './members.js';
import { textOf } from './read-value.js';
import { decodedText } from './text.js';

interface TreeFormat extends Pick<Format, 'name' | 'recognitions'> {
  /** Fields of a bookmark that the import ignores on purpose. */
  readonly leftOut?: LeftOut;
  /**
   * Returns the name of a folder. Returns an empty text for a folder that the browser itself has created, and undefined
   * for the folder of deleted bookmarks.
   */
  nameFolder(node: TreeNode): string | undefined;
  /**
   * Returns the item that a bookmark of the tree becomes. Returns undefined for a node that is not a bookmark, such as
   * a separator.
   */
  itemOf(members: Members, folders: readonly string[]): ItemToImport | NoItem | undefined;
}

/**
 * The names of folders, keyed by the number of the folder in the tree. The folder of deleted bookmarks has the name
 * undefined. Folders with an empty name are not in the map.
 */
type Folders = ReadonlyMap<number, string | undefined>;

/** The maximum number of folders whose names become tags. The names of all further folders are ignored. */
const MOST_FOLDERS = 100_000;
/**
 * Folder names are cut to this number of characters, to limit the memory for them. The number is larger than the
 * maximum length of a tag.
 */
const MAX_NAME = 200;
const IN_TRASH = 'The bookmark is in the trash.';
/** Fields that the import report shows for a refused bookmark, so that the user can identify it. */
const LABELS = ['title', 'name', 'uri', 'url'];

/**
 * Returns an import format for JSON documents that contain a tree of folders and bookmarks. It reads the file twice:
 * first the folders, then the bookmarks.
 */
export const treeFormat = (format: TreeFormat): Format => ({
  name: format.name,
  syntax: 'json',
  recognitions: format.recognitions,
  rows: (source, notImported) => rowsOf(source, format, notImported),
});

async function* rowsOf(
  source: Source,
  format: TreeFormat,
  notImported: NotImportedFields | undefined,
): AsyncGenerator<ImportRow> {
  // Reads all folders first, because the name of a folder may come after its bookmarks.
  const folders = await foldersOf(source, format);
  const leftOut = namesLeftOut(format.leftOut);
  let number = 1;
  for await (const nodes of treeNodes(decodedText(source.bytes()))) {
    for (const node of nodes) {
      const row = rowOf(node, { folders, format, place: { path: source.path, line: number } });
      if (row === undefined) {
        continue;
      }
      number += 1;
      yield row;
      if ('item' in row && !(node instanceof JsonError)) {
        countNotImported(node.members, { source, leftOut, notImported });
      }
    }
  }
}

async function foldersOf(source: Source, format: TreeFormat): Promise<Folders> {
  const folders = new Map<number, string | undefined>();
  for await (const nodes of treeNodes(decodedText(source.bytes()))) {
    for (const node of nodes.filter(isNode)) {
      const name = format.nameFolder(node)?.slice(0, MAX_NAME);
      if (node.folder !== undefined && name !== '' && folders.size < MOST_FOLDERS) {
        folders.set(node.folder, name);
      }
    }
  }
  return folders;
}

const isNode = (node: TreeNode | JsonError): node is TreeNode => !(node instanceof JsonError);

interface RowParts {
  readonly folders: Folders;
  readonly format: TreeFormat;
  readonly place: ImportRow['place'];
}

function rowOf(
  node: TreeNode | JsonError,
  { folders, format, place }: RowParts,
): ImportRow | undefined {
  if (node instanceof JsonError) {
    return refused(place, node.reason);
  }
  if (node.folder !== undefined) {
    return undefined;
  }
  const around = node.folders.filter((folder) => folders.has(folder));
  const names = around.map((folder) => folders.get(folder));
  const known = names.filter((name) => name !== undefined);
  const item = format.itemOf(node.members, known);
  const isInTrash = known.length < names.length;
  const label = LABELS.map((name) => textOf(node.members.peek(name))).find((text) => text !== '');
  return item === undefined
    ? undefined
    : rowFrom(place, isInTrash ? new NoItem(IN_TRASH) : item, label ?? '');
}

interface Counted {
  readonly source: Source;
  readonly leftOut: ReadonlySet<string>;
  readonly notImported: NotImportedFields | undefined;
}

function countNotImported(members: Members, { source, leftOut, notImported }: Counted): void {
  if (notImported !== undefined) {
    const paths = new Set<string>();
    members.collectNotImported('', leftOut, paths);
    for (const path of paths) {
      notImported.count(source.path, 'key', path);
    }
  }
}
