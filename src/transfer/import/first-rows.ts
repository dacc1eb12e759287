import type { ReadRow, RowPlace } from '../../lib/library-formats/format.js';
import type { EarlierRows } from '../../reading-list/imports/imported-item.js';

const FIRST_SIZE = 1024;
/**
 * The maximum number of pages for which repeated rows are detected. The data about these pages needs up to 84 MB: 21
 * bytes for each page, and the same amount of free space in the hash table.
 */
const MOST_PAGES = 2 ** 21;
/**
 * Bit flags of a page. SAYS_STATUS is set if an earlier row of the page contains a status. SAYS_FAVORITE is set if an
 * earlier row of the page contains a favorite flag.
 */
const [SAYS_STATUS, SAYS_FAVORITE] = [1, 2];
const LATEST_SECOND = 2 ** 32 - 1;

/** Data about rows of an imported file that contain the same page as a later row. */
export interface SamePage extends EarlierRows {
  readonly first: RowPlace;
}

/**
 * Detects rows of an imported file that contain the same page. The data is stored only in memory.
 * After a restart, an import reads the file from its beginning to collect the data again.
 */
export class FirstRows {
  #itemIds = new Float64Array(FIRST_SIZE);
  #lines = new Uint32Array(FIRST_SIZE);
  #files = new Uint32Array(FIRST_SIZE);
  #newest = new Uint32Array(FIRST_SIZE);
  #says = new Uint8Array(FIRST_SIZE);
  #count = 0;
  readonly #paths: string[] = [];

  constructor(private readonly mostPages = MOST_PAGES) {}

  /**
   * Records `row`, and returns data about earlier rows with the same item id. Returns undefined if `row` is the first
   * row with this item id.
   */
  before(itemId: string, row: ReadRow): SamePage | undefined {
    const id = Number(itemId);
    const slot = this.#slotOf(id);
    if (this.#itemIds[slot] === id) {
      const earlier = this.#rowsAt(slot);
      this.#add(slot, row);
      return earlier;
    }
    if (this.#count < this.mostPages) {
      this.#itemIds[slot] = id;
      this.#lines[slot] = row.place.line;
      this.#files[slot] = this.#fileAt(row.place.path);
      this.#add(slot, row);
      this.#count += 1;
      if (this.#count * 2 > this.#itemIds.length) {
        this.#grow();
      }
    }
    return undefined;
  }

  #rowsAt(slot: number): SamePage {
    const says = this.#says[slot] ?? 0;
    return {
      first: {
        path: this.#paths[this.#files[slot] ?? 0] ?? '',
        line: this.#lines[slot] ?? 0,
      },
      saysStatus: (says & SAYS_STATUS) !== 0,
      saysFavorite: (says & SAYS_FAVORITE) !== 0,
      asOf: this.#newest[slot] ?? 0,
    };
  }

  #add(slot: number, { item }: ReadRow): void {
    const { timeAdded, timeUpdated, timeRead, timeFavorited } = item;
    const times = [timeAdded, timeUpdated, timeRead, timeFavorited, this.#newest[slot]];
    const valid = times
      .map((time = 0) => time)
      .filter((time) => time >= 0 && time <= LATEST_SECOND);
    this.#newest[slot] = Math.max(...valid);
    this.#says[slot] =
      (this.#says[slot] ?? 0) |
      (item.status === undefined ? 0 : SAYS_STATUS) |
      (item.favorite === undefined ? 0 : SAYS_FAVORITE);
  }

  /**
   * Returns the index of the slot that contains the item id, or of the empty slot in which a new item id can be stored.
   */
  #slotOf(id: number): number {
    // Item ids are hashes, so `id % length` spreads them evenly over the slots of the hash table.
    let slot = id % this.#itemIds.length;
    while (this.#itemIds[slot] !== 0 && this.#itemIds[slot] !== id) {
      slot = (slot + 1) % this.#itemIds.length;
    }
    return slot;
  }

  /**
   * Returns the index of a file path in `#paths`. Adds the path if it differs from the last path,
   * which is enough because the rows of each file are consecutive.
   */
  #fileAt(path: string): number {
    if (this.#paths.at(-1) !== path) {
      this.#paths.push(path);
    }
    return this.#paths.length - 1;
  }

  #grow(): void {
    const [ids, lines, files] = [this.#itemIds, this.#lines, this.#files];
    const [newest, says] = [this.#newest, this.#says];
    const size = ids.length * 2;
    this.#itemIds = new Float64Array(size);
    this.#lines = new Uint32Array(size);
    this.#files = new Uint32Array(size);
    this.#newest = new Uint32Array(size);
    this.#says = new Uint8Array(size);
    ids.forEach((id, from) => {
      if (id !== 0) {
        const slot = this.#slotOf(id);
        this.#itemIds[slot] = id;
        this.#lines[slot] = lines[from] ?? 0;
        this.#files[slot] = files[from] ?? 0;
        this.#newest[slot] = newest[from] ?? 0;
        this.#says[slot] = says[from] ?? 0;
      }
    });
  }
}
