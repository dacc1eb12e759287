import { Tokenizer } from 'htmlparser2';

import type { HeadFacts } from './head-reader.js';
import { MarkupScanner } from './markup-scanner.js';

/** The maximum number of characters of a page that are scanned. Real pages have at most 5.3 million characters. */
const MAX_CHARACTERS = 6_000_000;
/** The maximum number of tags of a page that are kept. Real pages have at most 19,553 tags. */
const MAX_TAGS = 20_000;
/** If a page has more than 60,000 tags, only 1,000 tags are kept, so that extraction stays fast. */
const FLOOD = { from: 60_000, maxTags: 1_000 } as const;

export interface Markup {
  /** An HTML document that contains only the visible elements of the page. A parser can parse it safely. */
  readonly html: string;
  readonly facts: HeadFacts;
  /** The number of tags in the page. `html` may have fewer tags. */
  readonly tags: number;
  /** The number of links in the page. */
  readonly links: number;
  /** The number of pictures, frames and players in the page. */
  readonly embeds: number;
  /** The number of ancestors of each tag, summed over all tags. */
  readonly nesting: number;
  /** The number of ancestors of each character, summed over all characters of text. */
  readonly textNesting: number;
  /** True if the page has more character references and brackets than any page for human readers. */
  readonly isFlooded: boolean;
}

/** Scans markup in linear time. If the page has an extreme number of tags, scans it again and keeps fewer tags. */
export function scanMarkup(html: string): Markup {
  const source = html.slice(0, MAX_CHARACTERS);
  const scanner = scanned(source, MAX_TAGS, FLOOD.from);
  return (scanner.tags > FLOOD.from ? scanned(source, FLOOD.maxTags) : scanner).result();
}

/** Scans a page. Stops when the page has more than `most` tags. */
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
