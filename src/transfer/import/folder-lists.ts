import type { ItemToImport } from '../../lib/library-formats/format.js';
import { clean, cut } from '../../lib/util/clean-text.js';
import { MAX_TAG_LENGTH, parseTagName } from '../../reading-list/list/tag-name.js';
import type { ListImportResult } from '../../reading-list/saved-lists/saved-list-import.js';
import type { ListChoices } from '../../reading-list/saved-lists/saved-lists.service.js';
import type { ImportJob } from '../entities/import-job.entity.js';
import type { NumberedRow } from './import-batch.js';

type Rules = Pick<ImportJob, 'foldersBecomeLists'>;

const MAX_SHOWN_NAME = 40;
const NAME_EXISTS = 'another list has this name';

/**
 * Returns an item with the tags that it gets. By default, each name in the path of a folder is a tag. If folders become
 * lists, the whole path of a folder is a tag, and the list of the folder shows this tag.
 */
export const withFolderTags = (item: ItemToImport, { foldersBecomeLists }: Rules): ItemToImport =>
  foldersBecomeLists && item.folders !== undefined
    ? { ...item, tags: [...item.folders.paths, ...item.folders.otherTags] }
    : item;

/** Returns the saved lists for the folders of the rows, in file order. Returns none if folders become only tags. */
export const folderListsIn = (
  rows: readonly NumberedRow[],
  { foldersBecomeLists }: Rules,
): readonly ListChoices[] =>
  foldersBecomeLists
    ? rows.flatMap(({ newFolders = [] }) => newFolders).map((path) => listOfFolder(path))
    : [];

/** Returns the list that shows the tag of a folder. If the path is not a valid tag, the list has an invalid name. */
function listOfFolder(path: string): ListChoices {
  const tag = parseTagName(cut(clean(path), MAX_TAG_LENGTH));
  const name = tag === undefined ? '' : path;
  return {
    name,
    conditions: { tag: tag?.name ?? '' },
    isPinned: false,
    feed: null,
    isShelf: false,
  };
}

/**
 * Returns descriptions of the lists that were not created, by the number of the row. `results` are the results of the
 * lists that `folderListsIn` returns for the same rows.
 */
export function missingLists(
  rows: readonly NumberedRow[],
  results: readonly ListImportResult[],
): ReadonlyMap<number, readonly string[]> {
  const next = results.values();
  return new Map(
    rows.map(({ rowNumber, newFolders = [] }) => [
      rowNumber,
      newFolders.flatMap((path) => missingList(path, next.next().value)),
    ]),
  );
}

function missingList(path: string, result: ListImportResult | undefined): readonly string[] {
  const reason = result && reasonOf(result);
  return reason === undefined
    ? []
    : [`the saved list "${cut(clean(path), MAX_SHOWN_NAME)}" (${reason})`];
}

/** Returns the reason why no list shows the folder. Returns undefined if the list is new, or exists already. */
function reasonOf(result: ListImportResult): string | undefined {
  if (result.became === 'refused') {
    return result.reason.replace(/\.$/, '');
  }
  return result.became === 'unchanged' && !result.isSame ? NAME_EXISTS : undefined;
}
