import { type DomElement, labelOf } from '../dom/dom.js';
import type { Block } from './blocks.js';

const ELEMENTS: ReadonlySet<string> = new Set('figure figcaption aside nav footer form'.split(' '));
/** Words that sites label with what stands beside an article, as a part of a class or an id. */
const LABELS = new RegExp(
  `(?:^|[\\s_-])(?:${[
    'related(?:[_-]?\\w+)?|recommend(?:ed|ations?)|more-(?:from|on|stories)|read-?(?:more|next|also)|recirc\\w*|outbrain|taboola|most-(?:read|popular)|popular',
    'share|sharing|sharedaddy|social(?:-?\\w+)?|follow-us',
    'newsletter|subscribe|subscription|sign-?up|promo|advert\\w*|ad|ads|sponsor\\w*|affiliate|paywall|cookie\\w*|consent|gdpr',
    'author-?(?:bio|box|info|card|details|description|profile)|about-?(?:the-)?author|bio|biography|byline|vcard',
    'breadcrumbs?|pagination|pager|post-?nav\\w*|navigation|tags|tag-?(?:list|links|cloud)|post-tags|entry-(?:meta|footer|utility)|post-?meta|article-?meta|postmetadata',
    'comments?|comment-?\\w+|respond|disqus|captions?|wp-caption(?:-text)?|credits?|copyright|print-only|screen-reader-text|sr-only|visually-?hidden|table-of-contents',
  ].join('|')})(?:$|[\\s_-])`,
  'iu',
);
/** What holds more of the text than this is the text, whatever its label. */
const MOST_OF_TEXT = 0.3;

/** A page whose labels leave less than this of its text means something else by them. */
const LEAST_LEFT = 0.4;

/** The lines that no element around them sets apart from the article. */
export function withoutAsides(blocks: readonly Block[], root: DomElement): readonly Block[] {
  const held = lengthsIn(blocks, root);
  const left = unlabelled(blocks, root, held);
  return lengthOf(left) < LEAST_LEFT * lengthOf(blocks) ? blocks : left;
}

const lengthOf = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, { text }) => sum + text.length, 0);

function unlabelled(
  blocks: readonly Block[],
  root: DomElement,
  held: ReadonlyMap<DomElement, number>,
): Block[] {
  const most = MOST_OF_TEXT * (held.get(root) ?? 0);
  const verdicts = new Map<DomElement, boolean>([[root, false]]);
  const isAside = (element: DomElement | null): boolean => {
    if (element === null) {
      return false;
    }
    const known = verdicts.get(element);
    const verdict =
      known ??
      (isAside(element.parentElement) || (isLabelled(element) && (held.get(element) ?? 0) < most));
    verdicts.set(element, verdict);
    return verdict;
  };
  return blocks.filter(({ element }) => !isAside(element));
}

const isLabelled = (element: DomElement): boolean =>
  ELEMENTS.has(element.localName) || LABELS.test(labelOf(element));

function lengthsIn(blocks: readonly Block[], root: DomElement): Map<DomElement, number> {
  const held = new Map<DomElement, number>([[root, 0]]);
  for (const { element, text } of blocks) {
    for (let at: DomElement | null = element; at; at = at === root ? null : at.parentElement) {
      held.set(at, (held.get(at) ?? 0) + text.length);
    }
  }
  return held;
}
