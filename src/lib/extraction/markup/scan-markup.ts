import { Tokenizer } from 'htmlparser2';

import type { HeadFacts } from './head-reader.js';
import { MarkupScanner } from './markup-scanner.js';

/** The maximum number of characters of a page that are scanned. Real pages have at most 5.3 million characters. */
const MAX_CHARACTERS = 6_000_000;
/** The maximum number of tags that the scanner keeps of a page. Real pages have at most 19,553 tags. */
const MAX_TAGS = 20_000;
/**
 * If a page has more than 60,000 tags, the scanner keeps only the first 1,000 tags, to limit the time of the
 * extraction.
 */
const FLOOD = { from: 60_000, maxTags: 1_000 } as const;

export interface Markup {
  /**
   * HTML with only the visible elements of a page. The size and the depth of the HTML are limited, so that a parser can
   * safely parse it.
   */
  readonly html: string;
  readonly facts: HeadFacts;
  /** The number of tags in the original page. `html` may contain fewer tags. */
  readonly tags: number;
  /** The number of links in the page. */
  readonly links: number;
  /** The number of pictures, frames and players in the page. */
  readonly embeds: number;
  /** The sum of the depths of all tags in the page. The depth of a tag is the number of open elements around it. */
  readonly nesting: number;
  /**
   * The sum of the depths of all characters of text in the page. The depth is the number of open elements around a
   * character.
   */
  readonly textNesting: number;
  /**
   * True if the page has more character references and `<` characters than any real page. The scanner has removed some
   * of them.
   */
  readonly isFlooded: boolean;
  /** The MathML of formulas. An element with the attribute `data-formula` contains the text of one of them. */
  readonly formulas: readonly string[];
}

/**
 * Scans the markup of a page in linear time. If the page has more than 60,000 tags, scans it a second time and keeps
 * only the first 1,000 tags.
 */
export function scanMarkup(html: string): Markup {
  const source = html.slice(0, MAX_CHARACTERS);
  const scanner = scanned(source, MAX_TAGS, FLOOD.from);
  return (scanner.tags > FLOOD.from ? scanned(source, FLOOD.maxTags) : scanner).result();
}

/** Scans the markup of a page. Stops when the number of scanned tags exceeds `most`. */
function scanned(source: string, maxTags: number, most = Infinity): MarkupScanner {
  const scanner = new MarkupScanner(source, maxTags, (tags) => {
    if (tags > most) {
      tokenizer.pause();
    }
  });
  const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: false }, scanner);
  tokenizer.write(source);
  tokenizer.end();
  return scanner;
}
