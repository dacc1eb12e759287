import { Tokenizer } from 'htmlparser2';

import type { HeadFacts } from './head-reader.js';
import { MarkupScanner } from './markup-scanner.js';

/** Real pages have 5.3 M characters at most. */
const MAX_CHARACTERS = 6_000_000;
/** Real pages have 19,553 tags at most. */
const MAX_TAGS = 20_000;
/** Three times as many are a flood: of its structure little stays, so that reading it takes little time. */
const FLOOD = { from: 60_000, maxTags: 1_000 } as const;

export interface Markup {
  /** A whole document with the visible elements only, safe to give to a parser. */
  readonly html: string;
  readonly facts: HeadFacts;
  /** How many the page has, of which `html` may have fewer. */
  readonly tags: number;
  /** How many of them are links. */
  readonly links: number;
  /** How many are pictures, and frames and players. */
  readonly embeds: number;
  /** In how many others each of them stands, added up. */
  readonly nesting: number;
  /** The same of the characters of its text. */
  readonly textNesting: number;
  /** Whether it has more references and brackets in its text than any page that is meant to be read. */
  readonly isFlooded: boolean;
}

/** Reads the markup, a flood of tags once more from its start; in time that grows with its length only. */
export function scanMarkup(html: string): Markup {
  const source = html.slice(0, MAX_CHARACTERS);
  const scanner = scanned(source, MAX_TAGS, FLOOD.from);
  return (scanner.tags > FLOOD.from ? scanned(source, FLOOD.maxTags) : scanner).result();
}

/** Ends early when there are more than `most` tags. */
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
