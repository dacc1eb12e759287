import { attribute, type DomElement, firstBelow, isElement, isText, startOf } from '../dom.js';

/** The marks with which pages show a link to a heading: "¶", "#", "§", a chain, or an invisible character. */
const MARK = /^[\s¶#§🔗⚓∞\u200b\u200c\u2060\ufeff\u2693\ufe0f]*$/u;
const WORDS =
  /^(?:permalink|permanent link|direct link|link|anchor|copy link|copy link to (?:this )?(?:section|heading)|link to (?:this )?(?:section|heading))$/iu;
const CLASSES =
  /(?:^|[\s_-])(?:header-?link|head-?anchor|hash-?link|heading-?(?:anchor|link)|perma-?link|anchor(?:-?link)?|anchorjs-link)(?:$|[\s_-])/iu;
const LONGEST_MARK = 60;
/** The maximum number of links that are read in a heading. Each of them is compared with the whole heading. */
const MOST_LINKS = 50;

/** Returns true if a link only links to the heading or term that contains it, such as the link "¶". */
export function isPermalink(link: DomElement): boolean {
  const text = startOf(link, LONGEST_MARK).trim();
  const isNamed = CLASSES.test(attribute(link, 'class'));
  return (
    text.length < LONGEST_MARK &&
    link.querySelector('img') === null &&
    (isNamed || attribute(link, 'href').includes('#')) &&
    (MARK.test(text) || WORDS.test(text))
  );
}

/**
 * Removes the links from a heading or a term to itself. Keeps the words of a link around the whole heading.
 */
export function removePermalinks(heading: DomElement): void {
  for (const link of firstBelow(heading, MOST_LINKS, ({ localName }) => localName === 'a')) {
    if (isPermalink(link)) {
      dropMark(link);
    } else if (attribute(link, 'href').startsWith('#') && isWhole(link, heading)) {
      keepId(link, heading);
      link.replaceWith(...childrenOf(link));
    }
  }
}

/** Removes a mark, but keeps its id, because other links may link to it. */
function dropMark(link: DomElement): void {
  const id = attribute(link, 'id') || attribute(link, 'name');
  if (id === '') {
    link.remove();
    return;
  }
  const place = link.ownerDocument.createElement('span');
  place.setAttribute('id', id);
  link.replaceWith(place);
}

function keepId(link: DomElement, heading: DomElement): void {
  const id = attribute(link, 'id') || attribute(link, 'name') || attribute(link, 'href').slice(1);
  if (id !== '' && !heading.hasAttribute('id')) {
    heading.setAttribute('id', id);
  }
}

/** Returns true if a link contains the whole text of a heading. */
const isWhole = (link: DomElement, heading: DomElement): boolean =>
  startOf(link, LONGEST_HEADING).trim() === startOf(heading, LONGEST_HEADING).trim();

const LONGEST_HEADING = 500;

export function childrenOf(element: DomElement): (DomElement | string)[] {
  const children: (DomElement | string)[] = [];
  for (let node = element.firstChild; node; node = node.nextSibling) {
    if (isElement(node)) {
      children.push(node);
    } else if (isText(node)) {
      children.push(node.textContent ?? '');
    }
  }
  return children;
}
