import { Parser } from 'htmlparser2';

import { defined } from '../../common/defined.js';
import { plain } from '../plain-text.js';
import { type DocumentFacts, MAX_EXCERPT, MAX_TITLE } from './document-facts.js';

/** What a feed says of itself stands before its entries, or right after them. */
const READ_CHARACTERS = 1_000_000;
const MAX_DEPTH = 20;
const MAX_FIELD = 5000;
const ENTRIES = new Set(['item', 'entry']);
const FIELDS = new Set(['title', 'description', 'subtitle', 'language']);

/** What a feed (RSS, Atom, RDF or JSON) says of itself; its entries are not looked at. */
export function describeFeed(text: string): DocumentFacts {
  const start = text.trimStart();
  const fields = start.startsWith('{') ? jsonFields(start) : xmlFields(start);
  const subtitle = fields.get('description') ?? fields.get('subtitle') ?? '';
  return defined<DocumentFacts>({
    title: plain(withoutTags(fields.get('title') ?? ''), MAX_TITLE),
    excerpt: plain(withoutTags(subtitle), MAX_EXCERPT),
    language: plain(fields.get('language') ?? '', MAX_TITLE),
  });
}

type Fields = ReadonlyMap<string, string>;

const withoutTags = (text: string): string => text.replace(/<[^<>]*>/g, ' ');

/** Those of the first level below the feed or its channel: an image of the channel has a title too. */
function xmlFields(text: string): Fields {
  const fields = new Map<string, string>();
  const path: string[] = [];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        path.push(name);
        if (path.length === 1 && attributes['xml:lang'] !== undefined) {
          fields.set('language', attributes['xml:lang']);
        }
        if (path.length > MAX_DEPTH) {
          parser.pause();
        }
      },
      ontext(part) {
        const name = path.at(-1) ?? '';
        const known = fields.get(name) ?? '';
        if (isOfFeed(path) && FIELDS.has(name) && known.length < MAX_FIELD) {
          fields.set(name, known + part);
        }
      },
      onclosetag() {
        path.pop();
      },
    },
    { xmlMode: true },
  );
  parser.end(text.slice(0, READ_CHARACTERS));
  return fields;
}

function isOfFeed(path: readonly string[]): boolean {
  const above = path.slice(0, -1);
  return above.at(-1) === 'channel' || (above.length === 1 && !ENTRIES.has(path.at(-1) ?? ''));
}

function jsonFields(text: string): Fields {
  try {
    const feed: unknown = JSON.parse(text);
    const members = typeof feed === 'object' && feed !== null ? Object.entries(feed) : [];
    return new Map(
      members.flatMap(([name, value]: [string, unknown]) =>
        FIELDS.has(name) && typeof value === 'string' ? [[name, value]] : [],
      ),
    );
  } catch {
    return new Map();
  }
}
