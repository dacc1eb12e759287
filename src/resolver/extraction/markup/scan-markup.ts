import { Tokenizer } from 'htmlparser2';

import type { HeadFacts } from './head-facts.js';
import { MarkupScanner } from './markup-scanner.js';

/** Real pages have 5.3 M characters at most. */
const MAX_CHARACTERS = 6_000_000;

export interface Markup {
  /** A whole document with the visible elements only, safe to give to a parser. */
  readonly html: string;
  readonly facts: HeadFacts;
}

/** Reads the markup once, in time that grows with its length only. */
export function scanMarkup(html: string): Markup {
  const source = html.slice(0, MAX_CHARACTERS);
  const scanner = new MarkupScanner(source);
  const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: false }, scanner);
  tokenizer.write(source);
  tokenizer.end();
  return scanner.result();
}
