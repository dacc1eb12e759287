import type { EntityManager } from 'typeorm';

import { ItemRepository } from '../list/item.repository.js';
import type { ImportedItem } from './imported-item.js';

interface NumberedItems {
  readonly items: readonly ImportedItem[];
  /** The highest number that the list had assigned before the import. Undefined or null keeps no number. */
  readonly numbersBefore?: number | null;
}

/**
 * Removes the number (31-bit id) of a row if an item of the list has this number, or if a deleted
 * item may have had it. Deleted items may have had any number up to `numbersBefore`.
 */
export async function keepingFreeNumbers(
  manager: EntityManager,
  userId: string,
  { items, numbersBefore }: NumberedItems,
): Promise<readonly ImportedItem[]> {
  const least = numbersBefore ?? Infinity;
  const wanted = items.flatMap(({ number = 0 }) => (number > least ? [number] : []));
  const taken = await ItemRepository.in(manager).takenNumbers(userId, wanted);
  return items.map((item) => {
    const { number = 0 } = item;
    const isFree = number > least && !taken.has(number);
    taken.add(number);
    return isFree ? item : { ...item, number: undefined };
  });
}
