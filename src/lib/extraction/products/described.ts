import { type DomElement, lineOf, parseDocument } from '../dom.js';
import { scanMarkup } from '../markup/scan-markup.js';
import { squashed } from '../metadata/similarity.js';
import { htmlOf, wrapped } from '../scripts/script-article.js';
import { type Block, blocksOf } from '../text/blocks.js';

/** The minimum number of characters of a description. A shorter one is a slogan, which the page may not repeat. */
const LEAST = 200;
/** An article with a smaller share of the words of the description is not about the product. */
const LEAST_SHARED = 0.6;
const SHORTEST_WORD = 4;

/** Returns true if an article lacks most words of the description of its product. */
export function lacksDescription(article: DomElement | undefined, description: string): boolean {
  const words = wordsOf(plainText(description));
  if (description.length < LEAST || words.size === 0) {
    return false;
  }
  const own = wordsOf(article === undefined ? '' : lineOf(article));
  const shared = [...words].filter((word) => own.has(word)).length;
  return shared < LEAST_SHARED * words.size;
}

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter(
      (word) => word.length >= SHORTEST_WORD,
    ),
  );

const bodyOf = (description: string): DomElement =>
  parseDocument(scanMarkup(wrapped([htmlOf(description)])).html).body;

const plainText = (description: string): string => lineOf(bodyOf(description));

const LONGEST_START = 40;
/** The share of the description after which its end is searched, because a page may show it with other spelling. */
const NEARLY_ALL = 0.9;
const MUCH_LONGER = 2;

/**
 * Returns the element of a page that contains the description of the product. Returns the description itself if the
 * page does not show it.
 */
export const describedElement = (body: DomElement, description: string): DomElement =>
  shownIn(body, squashed(plainText(description))) ?? bodyOf(description);

/**
 * Returns the smallest element of a page that contains a text. Returns undefined if there is none, or if it contains
 * much more than the text.
 */
function shownIn(body: DomElement, text: string): DomElement | undefined {
  const lines = blocksOf(body).map((block) => ({ block, text: squashed(block.text) }));
  const all = lines.map((line) => line.text).join('');
  const at = all.indexOf(text.slice(0, LONGEST_START));
  const blockAt = (place: number): Block | undefined => {
    let before = 0;
    return lines.find((line) => (before += line.text.length) > place)?.block;
  };
  const first = blockAt(at);
  const last = blockAt(at + NEARLY_ALL * text.length);
  if (at < 0 || first === undefined || last === undefined) {
    return undefined;
  }
  const element = around(first.element, last.element);
  return squashed(lineOf(element)).length <= MUCH_LONGER * text.length ? element : undefined;
}

/** Returns the innermost element that contains two elements. */
function around(one: DomElement, other: DomElement): DomElement {
  let at = one;
  while (at.parentElement && !at.contains(other)) {
    at = at.parentElement;
  }
  return at;
}
