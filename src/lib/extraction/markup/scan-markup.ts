import { Tokenizer } from 'htmlparser2';

import type { HeadFacts } from './head-reader.js';
import { MarkupScanner } from './markup-scanner.js';

/** Real pages have at most 5.3 million characters. */
const MAX_CHARACTERS = 6_000_000;
/** Real pages have at most 19,553 tags. */
const MAX_TAGS = 20_000;
/** A page with three times as many tags is a flood. Only a few of its tags are kept, so that extraction stays fast. */
const FLOOD = { from: 60_000, maxTags: 1_000 } as const;

export interface Markup {
  /** A whole document with only the visible elements, safe to pass to a parser. */
  readonly html: string;
  readonly facts: HeadFacts;
  /** Number of tags in the page; `html` may have fewer. */
  readonly tags: number;
  /** Number of links. */
  readonly links: number;
  /** Number of pictures, frames and players. */
  readonly embeds: number;
  /** Number of ancestors of each tag, summed over all tags. */
  readonly nesting: number;
  /** Number of ancestors of each character of text, summed over all characters. */
  readonly textNesting: number;
  /** True if the text has more character references and brackets than any page for human readers. */
  readonly isFlooded: boolean;
}

/** Scans markup in linear time. A flood of tags is scanned again from its start with a lower limit. */
export function scanMarkup(html: string): Markup {
  const source = html.slice(0, MAX_CHARACTERS);
  const scanner = scanned(source, MAX_TAGS, FLOOD.from);
  return (scanner.tags > FLOOD.from ? scanned(source, FLOOD.maxTags) : scanner).result();
}

/** Stops early after more than `most` tags. */
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
