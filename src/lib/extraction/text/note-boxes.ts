import { attribute, type DomElement, labelOf } from '../dom.js';

const BOXES: ReadonlySet<string> = new Set(['div', 'aside', 'section', 'blockquote']);
/**
 * Matches the classes with which documentation systems, blogs and wikis mark a box beside the text. A word such as "tip"
 * must be the whole class, because many other classes contain it.
 */
const BOX =
  /(?:^|[\s_-])(?:admonition|callout)(?:$|[\s_-])|(?:^|\s)(?:note|tip|hint|warning|caution|important|danger|info|alert|notice|aside|pullquote|sidenote|infobox)(?:$|\s)/iu;

/** Gives boxes with notes, hints and warnings the role `note`, so that they stay recognisable without their classes. */
export function markNote(element: DomElement): void {
  const isNote =
    BOXES.has(element.localName) &&
    (attribute(element, 'role') === 'note' || BOX.test(labelOf(element)));
  if (isNote) {
    element.setAttribute('role', 'note');
  } else if (!attribute(element, 'role').startsWith('doc-')) {
    element.removeAttribute('role');
  }
}
