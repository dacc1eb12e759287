import type { DomElement } from '../dom/dom.js';
import type { Prose } from './prose.js';

/** An element that has less of the prose than this leaves too much out. */
const LEAST_SHARE = 0.85;

/** The smallest element that holds nearly all prose of a body. */
export function denseElement(body: DomElement, prose: readonly Prose[]): DomElement {
  const held = lengthsHeld(prose);
  let at = body;
  for (let next: DomElement | undefined = body; next; next = densestChild(at, held)) {
    at = next;
  }
  return at;
}

type Lengths = ReadonlyMap<DomElement, number>;

/** For each element the length of the prose below it. */
function lengthsHeld(prose: readonly Prose[]): Lengths {
  const held = new Map<DomElement, number>();
  for (const { element, length } of prose) {
    for (let at = element.parentElement; at; at = at.parentElement) {
      held.set(at, (held.get(at) ?? 0) + length);
    }
  }
  return held;
}

function densestChild(element: DomElement, held: Lengths): DomElement | undefined {
  const all = held.get(element) ?? 0;
  return [...element.children].find((child) => (held.get(child) ?? 0) > LEAST_SHARE * all);
}
