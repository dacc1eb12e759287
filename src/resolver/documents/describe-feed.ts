import { defined } from '../../common/defined.js';
import { plain } from '../plain-text.js';
import { type DocumentFacts, MAX_EXCERPT, MAX_TITLE } from './document-facts.js';
import { wordsOfEntries } from './feed-words.js';
import { jsonFeed } from './json-feed.js';
import { xmlFeed } from './xml-feed.js';

/** What a feed (RSS, Atom, RDF or JSON) says of itself, and the number of words of its entries. */
export function describeFeed(text: string): DocumentFacts {
  const start = text.trimStart();
  const { fields, entries } = start.startsWith('{') ? jsonFeed(start) : xmlFeed(start);
  const subtitle = fields.get('description') ?? fields.get('subtitle') ?? '';
  return defined<DocumentFacts>({
    title: plain(withoutTags(fields.get('title') ?? ''), MAX_TITLE),
    excerpt: plain(withoutTags(subtitle), MAX_EXCERPT),
    language: plain(fields.get('language') ?? '', MAX_TITLE),
    wordCount: wordsOfEntries(entries),
  });
}

const withoutTags = (text: string): string => text.replace(/<[^<>]*>/g, ' ');
