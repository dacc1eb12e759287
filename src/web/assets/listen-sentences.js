import { sentenceSplitter, spokenText } from './listen-text.js';
import { t } from './text.js';

/**
 * The place of a sentence in the page, as in a `StaticRange`.
 * @typedef {{ startContainer: Node, startOffset: number, endContainer: Node, endOffset: number }} Place
 */

/**
 * A sentence. `text` is what a voice says, and `place` is what the page marks. `paragraph` is the number in the id
 * `p-…`, and `block` is the number of the paragraph, heading or list entry that contains the sentence. `isNotice` is
 * true for a text of the reader instead of the article, such as "Code block".
 * @typedef {{ text: string, place: Place, paragraph: number, block: number, isNotice: boolean }} Sentence
 */

/** @typedef {{ node: Text, start: number }} Piece A text node, and its start in the text of its block. */

const BLOCKS = new Set(
  (
    'address blockquote caption dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p summary table ' +
    'tbody td tfoot th thead tr ul'
  ).split(' '),
);
const SILENT = 'rt, rp, button, .media-link';
const PARAGRAPH = /^p-(\d+)$/;

const NUMBERED = /^\d{1,3}$/;
const BRACKETED = /^[[(](?:\d{1,3}|[a-z*†‡§])[\])]$/u;
const SYMBOL = /^[*†‡§¶]+$/u;
const BACK_LINK = /^[↩↑⤴^]\uFE0E?$/u;
/** Text after which a raised number is a footnote. In "10²" or "m²", it is part of the sentence. */
const BEFORE_FOOTNOTE = /(?:[!"'),.:;?\]»’”…]|\p{L}{4})$/u;
/** The number of characters before an element that `BEFORE_FOOTNOTE` checks. */
const CHECKED_BEFORE = 8;

/**
 * Returns the sentences of elements in the order of the page.
 * @param {readonly Element[]} elements
 * @param {string} language The language of the text. Can be empty.
 */
export function sentencesOf(elements, language) {
  const collector = new Collector(sentenceSplitter(language));
  for (const element of elements) {
    collector.collect(element);
  }
  return collector.sentences;
}

/**
 * Returns the index of the first sentence of a paragraph. The index is 0 for the first paragraph, so that the title
 * is spoken too.
 * @param {readonly Sentence[]} sentences
 * @param {number} paragraph
 */
export function indexAt(sentences, paragraph) {
  const index = sentences.findIndex((sentence) => sentence.paragraph >= paragraph);
  return index < 0 ? Math.max(0, sentences.length - 1) : index;
}

/** Collects the sentences of elements, block by block. */
class Collector {
  /** @type {Sentence[]} */
  sentences = [];
  #text = '';
  /** The end of the text. */
  #end = '';
  /** @type {Piece[]} */
  #pieces = [];
  #paragraph = 0;
  #block = 0;

  /** @param {(text: string) => string[]} split */
  constructor(split) {
    this.split = split;
  }

  /** @param {Element} element */
  collect(element) {
    this.#walk(element);
    this.#endBlock();
  }

  /** @param {Element} parent */
  #walk(parent) {
    for (const child of parent.childNodes) {
      if (child instanceof Text) {
        this.#pieces.push({ node: child, start: this.#text.length });
        this.#append(child.data.replace(/\s/g, ' '));
      } else if (child instanceof Element) {
        this.#take(child);
      }
    }
  }

  /** @param {string} text */
  #append(text) {
    this.#text += text;
    this.#end = (this.#end + text).slice(-CHECKED_BEFORE);
  }

  /** @param {Element} element */
  #take(element) {
    const tag = element.localName;
    if (tag === 'br') {
      this.#append('\n');
    } else if (tag === 'pre') {
      this.#announce(element, t('scripts.listenCode'));
    } else if (element instanceof HTMLTableElement && !isLayout(element)) {
      this.#announce(element, t('scripts.listenTable'));
    } else if (BLOCKS.has(tag)) {
      this.#takeBlock(element);
    } else if (!element.matches(SILENT) && !isFootnoteMarker(element, this.#end)) {
      this.#walk(element);
    }
  }

  /** @param {Element} element */
  #takeBlock(element) {
    this.#endBlock();
    this.#enter(element);
    const isClosed = element instanceof HTMLDetailsElement && !element.open;
    const shown = isClosed ? element.querySelector(':scope > summary') : element;
    if (shown !== null) {
      this.#walk(shown);
    }
    this.#endBlock();
  }

  /**
   * @param {Element} element
   * @param {string} text
   */
  #announce(element, text) {
    this.#endBlock();
    this.#enter(element);
    const place = {
      startContainer: element,
      startOffset: 0,
      endContainer: element,
      endOffset: element.childNodes.length,
    };
    this.#add(text, place, true);
    this.#block += 1;
  }

  /** @param {Element} element */
  #enter({ id }) {
    const [, number] = PARAGRAPH.exec(id) ?? [];
    this.#paragraph = number === undefined ? this.#paragraph : Number(number);
  }

  #endBlock() {
    let start = 0;
    for (const part of this.split(this.#text)) {
      const text = spokenText(part);
      if (text !== '') {
        const first = start + part.length - part.trimStart().length;
        this.#add(text, this.#place(first, start + part.trimEnd().length), false);
      }
      start += part.length;
    }
    this.#block += 1;
    this.#text = '';
    this.#end = '';
    this.#pieces = [];
  }

  /**
   * @param {string} text
   * @param {Place} place
   * @param {boolean} isNotice
   */
  #add(text, place, isNotice) {
    const [paragraph, block] = [this.#paragraph, this.#block];
    this.sentences.push({ text, place, paragraph, block, isNotice });
  }

  /**
   * @param {number} start
   * @param {number} end
   * @returns {Place}
   */
  #place(start, end) {
    const first = this.#pieceAt(start);
    const last = this.#pieceAt(end - 1);
    return {
      startContainer: first.node,
      startOffset: start - first.start,
      endContainer: last.node,
      endOffset: end - last.start,
    };
  }

  /**
   * @param {number} offset
   * @returns {Piece}
   */
  #pieceAt(offset) {
    let [low, high] = [0, this.#pieces.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      [low, high] =
        (this.#pieces[middle]?.start ?? 0) <= offset ? [middle, high] : [low, middle - 1];
    }
    return /** @type {Piece} */ (this.#pieces[low]);
  }
}

/**
 * Returns true for a table with one column, which old pages use to place their text.
 * @param {HTMLTableElement} table
 */
const isLayout = ({ rows }) => [...rows].every(({ cells }) => cells.length <= 1);

/**
 * Returns true for the marker of a footnote, and for the link back from a footnote.
 * @param {Element} element
 * @param {string} before The last characters before the element.
 */
function isFootnoteMarker(element, before) {
  if (element.localName === 'a') {
    return isMarkerLink(element, element.textContent.trim());
  }
  return element.localName === 'sup' && isRaisedMarker(element, element.textContent.trim(), before);
}

/**
 * @param {Element} link
 * @param {string} text
 */
function isMarkerLink({ children }, text) {
  const isRaised = children.length === 1 && children[0]?.localName === 'sup';
  return BRACKETED.test(text) || BACK_LINK.test(text) || (isRaised && NUMBERED.test(text));
}

/**
 * @param {Element} raised
 * @param {string} text
 * @param {string} before
 */
function isRaisedMarker(raised, text, before) {
  const isMarker = raised.querySelector('a') !== null || BRACKETED.test(text) || SYMBOL.test(text);
  return isMarker || (NUMBERED.test(text) && BEFORE_FOOTNOTE.test(before));
}
