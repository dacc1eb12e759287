import type { RowPlace } from '../../library-formats/format.js';

const FIRST_SIZE = 1024;
/** With 16 bytes for each slot, and half of the slots in use: 64 MB. Later rows are not compared. */
const MOST_PAGES = 2 ** 21;

/**
 * Remembers which row of a file was the first of its page, in typed arrays: an import reads the whole file again after
 * a restart, so the memory of a process is enough.
 */
export class FirstRows {
  #itemIds = new Float64Array(FIRST_SIZE);
  #lines = new Uint32Array(FIRST_SIZE);
  #files = new Uint32Array(FIRST_SIZE);
  #count = 0;
  readonly #paths: string[] = [];

  constructor(private readonly mostPages = MOST_PAGES) {}

  /** Returns the place of an earlier row with this item id. Remembers this row if there is none. */
  firstBefore(itemId: string, { path, line }: RowPlace): RowPlace | undefined {
    const id = Number(itemId);
    const slot = this.#slotOf(id);
    if (this.#itemIds[slot] === id) {
      const file = this.#files[slot] ?? 0;
      return { path: this.#paths[file] ?? '', line: this.#lines[slot] ?? 0 };
    }
    if (this.#count < this.mostPages) {
      this.#put(slot, id, { line, file: this.#fileAt(path) });
      this.#count += 1;
      if (this.#count * 2 > this.#itemIds.length) {
        this.#grow();
      }
    }
    return undefined;
  }

  /** Returns the slot of an item id, or the empty slot in which to put it. */
  #slotOf(id: number): number {
    // Item ids are hashes: any of their bits are evenly spread.
    let slot = id % this.#itemIds.length;
    while (this.#itemIds[slot] !== 0 && this.#itemIds[slot] !== id) {
      slot = (slot + 1) % this.#itemIds.length;
    }
    return slot;
  }

  #put(slot: number, id: number, { line, file }: { line: number; file: number }): void {
    this.#itemIds[slot] = id;
    this.#lines[slot] = line;
    this.#files[slot] = file;
  }

  /** The rows of one file follow one another. */
  #fileAt(path: string): number {
    if (this.#paths.at(-1) !== path) {
      this.#paths.push(path);
    }
    return this.#paths.length - 1;
  }

  #grow(): void {
    const [ids, lines, files] = [this.#itemIds, this.#lines, this.#files];
    const size = ids.length * 2;
    this.#itemIds = new Float64Array(size);
    this.#lines = new Uint32Array(size);
    this.#files = new Uint32Array(size);
    ids.forEach((id, from) => {
      if (id !== 0) {
        this.#put(this.#slotOf(id), id, { line: lines[from] ?? 0, file: files[from] ?? 0 });
      }
    });
  }
}
