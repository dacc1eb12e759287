import type { DomElement } from '../dom.js';
import type { Reference } from './note-references.js';
import type { Notes } from './numbered-notes.js';

/**
 * Returns the numbers in a text that belong to the notes in a box. `ids` contains the ids in the box, to which a page
 * may link its numbers itself.
 */
export function joinedWith(
  references: readonly Reference[],
  box: DomElement,
  { notes, ids }: { readonly notes: Notes; readonly ids: ReadonlySet<string> },
): readonly Reference[] {
  const possible = references.filter(({ number, target }) =>
    target === '' ? notes.has(number) : ids.has(target),
  );
  return inOrder(nearest(possible, box), Math.min(...notes.keys()));
}

/**
 * Returns the numbers in the smallest part of the page that contains all of them at least once. Another article on the
 * page can have the same numbers.
 */
function nearest(references: readonly Reference[], box: DomElement): readonly Reference[] {
  const around = new Map<DomElement | null, number>();
  for (let at = box.parentElement; at !== null; at = at.parentElement) {
    around.set(at, around.size);
  }
  const levels = references.map(({ element }) => levelOf(element, around));
  const least = new Map<number, number>();
  references.forEach(({ number }, index) => {
    least.set(number, Math.min(least.get(number) ?? Infinity, levels[index] ?? Infinity));
  });
  const level = Math.max(...least.values());
  return references.filter((_, index) => (levels[index] ?? Infinity) <= level);
}

function levelOf(element: DomElement, around: ReadonlyMap<DomElement | null, number>): number {
  let at: DomElement | null = element;
  while (at !== null && !around.has(at)) {
    at = at.parentElement;
  }
  return around.get(at) ?? Infinity;
}

/**
 * Returns the numbers that follow one another. Notes are numbered in the order of the text, so a number before a lower
 * one is something else, such as an exponent. A doubtful number counts only if it is the next one, and appears nowhere
 * else.
 */
function inOrder(references: readonly Reference[], first: number): readonly Reference[] {
  const certain = new Set(
    references.filter(({ isDoubtful }) => !isDoubtful).map(({ number }) => number),
  );
  const last = Math.max(...certain);
  let next = first;
  return references.filter((reference) => {
    const isNext = reference.isDoubtful
      ? reference.number === next && !certain.has(next)
      : reference.target !== '' || reference.number <= nextOf(certain, next, last);
    if (isNext) {
      next = Math.max(next, reference.number + 1);
    }
    return isNext;
  });
}

/** Returns the next number that the text contains. A text can write some numbers in another way, such as "2, 3". */
function nextOf(certain: ReadonlySet<number>, from: number, last: number): number {
  let next = from;
  while (next < last && !certain.has(next)) {
    next += 1;
  }
  return next;
}
