import type { ImportRow } from '../../lib/library-formats/format.js';
import { cut } from '../../lib/util/clean-text.js';
import { folded } from '../../reading-list/list/item-texts.js';

/** The maximum number of folders for which repetitions are detected. It limits the memory for a file of many folders. */
const MOST_FOLDERS = 100_000;
/** The length in characters to which the path of a folder is cut for comparisons. It is greater than that of a list's name. */
const MAX_KEY = 200;

/** Finds the first row of each folder of an imported file. Upper and lower case do not matter in the paths of folders. */
export class FirstFolders {
  readonly #seen = new Set<string>();

  /**
   * Returns the paths of the folders of a row that no earlier row has. Returns an empty object if there are none. Repeats
   * folders after the first MOST_FOLDERS.
   */
  newIn(row: ImportRow): { readonly newFolders?: readonly string[] } {
    const paths = 'item' in row ? (row.item.folders?.paths ?? []) : [];
    const newFolders = paths.filter((path) => this.#isNew(folded(cut(path, MAX_KEY))));
    return newFolders.length === 0 ? {} : { newFolders };
  }

  #isNew(key: string): boolean {
    const isNew = !this.#seen.has(key);
    if (isNew && this.#seen.size < MOST_FOLDERS) {
      this.#seen.add(key);
    }
    return isNew;
  }
}
