import type { ReadRow, RowPlace } from '../../lib/library-formats/format.js';
import type { EarlierRows } from '../../reading-list/imports/imported-item.js';

const FIRST_SIZE = 1024;
/**
 * The maximum number of pages to remember, which need 84 MB: each page needs two slots of 21 bytes, because half of the
 * slots are free. Rows of further pages are not compared.
 */
const MOST_PAGES = 2 ** 21;
/** Bit flags for the fields that the earlier rows of a page contain. */
const [SAYS_STATUS, SAYS_FAVORITE] = [1, 2];
const LATEST_SECOND = 2 ** 32 - 1;

/** The earlier rows of a file for the same page. */
export interface SamePage extends EarlierRows {
  readonly first: RowPlace;
}

/**
 * Remembers which rows of an imported file are for the same page, in typed arrays. The data is only in memory, because
 * an import reads the whole file again after a restart.
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

  /** Returns the earlier rows of the file for an item id. Returns undefined if `row` is the first. */
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

  /** Returns the slot that contains an item id, or the empty slot for the id. */
  #slotOf(id: number): number {
    // Item ids are hashes, so their remainders spread evenly over the slots.
    let slot = id % this.#itemIds.length;
    while (this.#itemIds[slot] !== 0 && this.#itemIds[slot] !== id) {
      slot = (slot + 1) % this.#itemIds.length;
    }
    return slot;
  }

  /**
   * Returns the index of a file path. Compares the path only with the last path, because all rows of a file are
   * consecutive.
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
