import { Tokenizer } from 'htmlparser2';

import type { HeadFacts } from './head-reader.js';
import { MarkupScanner } from './markup-scanner.js';

/** The maximum number of characters that are scanned in a page. Real pages have at most 5.3 million characters. */
const MAX_CHARACTERS = 6_000_000;
/** The maximum number of tags that the scanner keeps of a page. Real pages have at most 19,553 tags. */
const MAX_TAGS = 20_000;
/**
 * If a page has more than 60,000 tags, the scanner keeps only 1,000 of them, so that the extraction takes little time.
 */
const FLOOD = { from: 60_000, maxTags: 1_000 } as const;

export interface Markup {
  /**
   * HTML with only the visible elements of a page. Its size and depth are limited, so that a parser can safely parse
   * it.
   */
  readonly html: string;
  readonly facts: HeadFacts;
  /** The number of tags in the original page. `html` may contain fewer tags. */
  readonly tags: number;
  /** The number of links in the page. */
  readonly links: number;
  /** The number of pictures, frames and players in the page. */
  readonly embeds: number;
  /** The total number of ancestors of all tags in the page. It measures how deeply the page nests. */
  readonly nesting: number;
  /** The total number of ancestors of all characters of text in the page. It measures how deeply the text nests. */
  readonly textNesting: number;
  /** True if the page has more character references and brackets than any real page, so that some were removed. */
  readonly isFlooded: boolean;
}

/**
 * Scans the markup of a page in linear time. If the page has an extreme number of tags, scans it a second time and
 * keeps fewer tags.
 */
export function scanMarkup(html: string): Markup {
  const source = html.slice(0, MAX_CHARACTERS);
  const scanner = scanned(source, MAX_TAGS, FLOOD.from);
  return (scanner.tags > FLOOD.from ? scanned(source, FLOOD.maxTags) : scanner).result();
}

/** Scans the markup of a page. Stops after `most` tags. */
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
