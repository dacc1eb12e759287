import { attribute, type DomElement, labelOf } from '../dom.js';
import { type Block, textLength } from './blocks.js';
import { headingOf, isNote } from './prepare-body.js';

/** The position of a line on the page: in the article's text, in the caption of a picture, or beside the text. */
type LinePlace = 'text' | 'caption' | 'aside';

const ELEMENTS: ReadonlySet<string> = new Set('aside nav footer form'.split(' '));
const FIGURES: ReadonlySet<string> = new Set(['figure', 'figcaption']);
const CAPTIONS = /(?:^|[\s_-])(?:captions?|wp-caption(?:-text)?|credits?|copyright)(?:$|[\s_-])/iu;
/** Matches words in the class or id of elements that are beside an article, such as "related" and "share". */
const LABELS = new RegExp(
  `(?:^|[\\s_-])(?:${[
    'related(?:[_-]?\\w+)?|similar-?(?:articles|posts|stories|products|items)|recommend(?:ed|ations?)|more-(?:from|on|stories)|read-?(?:more|next|also)|recirc\\w*|outbrain|taboola|most-(?:read|popular)|popular',
    'share|sharing|sharedaddy|social(?:-?\\w+)?|follow-us',
    'newsletter|subscribe|subscription|sign-?up|promo|advert\\w*|ad|ads|sponsor\\w*|affiliate|disclaimer|paywall|cookie\\w*|consent|gdpr',
    'author-?(?:bio|box|info|card|details|description|profile)|about-?(?:the-)?author|(?:post|entry|story)-author|contributor-?\\w*|bio|biography|byline|vcard',
    'breadcrumbs?|pagination|pager|post-?nav\\w*|navigation|tags|tag-?(?:list|links|cloud)|post-tags|entry-(?:meta|footer|utility)|post-?meta|article-?meta|postmetadata',
    'comments?|comment-?\\w+|respond|disqus|print-only|screen-reader-text|sr-only|visually-?hidden|table-of-contents',
  ].join('|')})(?:$|[\\s_-])`,
  'iu',
);
/**
 * The maximum share of the page's text that an element beside the article can contain. An element with a larger share
 * belongs to the article, even if its class or id says otherwise.
 */
const MOST_OF_TEXT = 0.3;

/**
 * The minimum share of the page's text that must be outside captions and elements beside the
 * article. With a smaller share, the page uses classes such as "related" for another purpose, so
 * all lines count as text.
 */
const LEAST_LEFT = 0.4;

/**
 * Groups the lines of a page by their position. The elements around a line determine its position. If only a small
 * share of the text is outside captions and elements beside the article, all lines count as text.
 */
export function byPlace(blocks: readonly Block[], root: DomElement): Record<LinePlace, Block[]> {
  const placeOf = places(root, lengthsIn(blocks, root));
  const found: Record<LinePlace, Block[]> = { text: [], caption: [], aside: [] };
  for (const block of blocks) {
    found[placeOf(block.element)].push(block);
  }
  return textLength(found.text) < LEAST_LEFT * textLength(blocks)
    ? { text: [...blocks], caption: [], aside: [] }
    : found;
}

function places(
  root: DomElement,
  held: ReadonlyMap<DomElement, number>,
): (element: DomElement | null) => LinePlace {
  const most = MOST_OF_TEXT * (held.get(root) ?? 0);
  const known = new Map<DomElement, LinePlace>([[root, 'text']]);
  const placeOf = (element: DomElement | null): LinePlace => {
    if (element === null) {
      return 'text';
    }
    const place = known.get(element) ?? within(placeOf(element.parentElement), element);
    known.set(element, place);
    return place;
  };
  const within = (outer: LinePlace, element: DomElement): LinePlace => {
    const own = outer === 'aside' ? 'text' : namedOf(element);
    return own === 'text' || (held.get(element) ?? 0) >= most ? outer : own;
  };
  return placeOf;
}

function namedOf(element: DomElement): LinePlace {
  if (isAside(element)) {
    return 'aside';
  }
  return (FIGURES.has(element.localName) && !isText(element)) || CAPTIONS.test(labelOf(element))
    ? 'caption'
    : 'text';
}

function isAside(element: DomElement): boolean {
  const [className, id] = [attribute(element, 'class'), attribute(element, 'id')];
  if (LABELS.test(className)) {
    return true;
  }
  if (ELEMENTS.has(element.localName)) {
    return !isNote(element);
  }
  // Ignores an id that only repeats words of the heading in its element, such as `setting-cookies`.
  return LABELS.test(id) && (isLabel(id) || headingOf(element) === '');
}

const isLabel = (id: string): boolean => LABELS.exec(id)?.[0].length === id.length;

const PICTURES = 'img, picture, video, audio, iframe, object, svg, canvas';

/**
 * Returns true if an element is a figure that contains a table, or no picture, as a quotation, code or a note. The lines
 * of such a figure are text, not a caption.
 */
const isText = (element: DomElement): boolean =>
  element.localName === 'figure' &&
  (element.querySelector('table') !== null || element.querySelector(PICTURES) === null);

function lengthsIn(blocks: readonly Block[], root: DomElement): Map<DomElement, number> {
  const held = new Map<DomElement, number>([[root, 0]]);
  for (const { element, text } of blocks) {
    for (let at: DomElement | null = element; at; at = at === root ? null : at.parentElement) {
      held.set(at, (held.get(at) ?? 0) + text.length);
    }
  }
  return held;
}
