import { Parser } from 'htmlparser2';

import { defined } from '../../util/defined.js';
import { plain } from '../plain-text.js';
import { type DocumentFacts, documentWords, MAX_EXCERPT, MAX_TITLE } from './document-facts.js';
import { markupText } from './markup-text.js';

/** Fields of a feed or an entry, keyed by their names in the feed's format. */
type FeedFields = ReadonlyMap<string, string>;

/** A feed of any format: RSS, Atom, RDF or JSON. */
interface Feed {
  readonly fields: FeedFields;
  readonly entries: readonly FeedFields[];
}

const FEED_FIELDS: ReadonlySet<string> = new Set(['title', 'description', 'subtitle', 'language']);

/**
 * Fields with the text of an entry, the longest field first. Only the first field with text counts, because summaries
 * repeat the text.
 */
const ENTRY_TEXTS = [
  'content:encoded',
  'content',
  'content_html',
  'content_text',
  'description',
  'summary',
] as const;

const ENTRY_FIELDS: ReadonlySet<string> = new Set(['title', ...ENTRY_TEXTS]);

/** The maximum number of entries per feed. Later entries are ignored. */
const MAX_ENTRIES = 100_000;

/**
 * The number of characters of a feed that are parsed. The fields of a feed are before its entries or directly after
 * them.
 */
const READ_CHARACTERS = 5_000_000;
/** The maximum depth of elements in a feed. Entries may contain markup, so their elements may nest deeply. */
const MAX_DEPTH = 200;
const MAX_FIELD = 5000;
const ENTRIES = new Set(['item', 'entry']);

/** Parses an XML feed (RSS, Atom, RDF). The number of entries, the number of characters and the depth are limited. */
function xmlFeed(text: string): Feed {
  const reader = new FeedReader();
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        reader.open(name, attributes['xml:lang']);
        if (reader.hasEnough) {
          parser.pause();
        }
      },
      ontext(part) {
        reader.text(part);
      },
      onclosetag() {
        reader.close();
      },
    },
    { xmlMode: true },
  );
  parser.end(text.slice(0, READ_CHARACTERS));
  return reader;
}

class FeedReader implements Feed {
  readonly fields = new Map<string, string>();
  readonly entries: Map<string, string>[] = [];
  readonly #path: string[] = [];
  /** The depth of the entry that is being parsed. It is 0 outside of entries. */
  #entryDepth = 0;

  get hasEnough(): boolean {
    return this.#depth > MAX_DEPTH || this.entries.length > MAX_ENTRIES;
  }

  open(name: string, language: string | undefined): void {
    this.#separate();
    this.#path.push(name);
    if (this.#depth === 1 && language !== undefined) {
      this.fields.set('language', language);
    }
    if (this.#entryDepth === 0 && ENTRIES.has(name)) {
      this.#entryDepth = this.#depth;
      this.entries.push(new Map());
    }
  }

  close(): void {
    this.#separate();
    this.#entryDepth = this.#depth === this.#entryDepth ? 0 : this.#entryDepth;
    this.#path.pop();
  }

  text(part: string): void {
    if (this.#entryDepth > 0) {
      this.#ofEntry(part);
    } else if (this.#isOfFeed()) {
      this.#ofFeed(part);
    }
  }

  get #depth(): number {
    return this.#path.length;
  }

  /** Adds a space between the texts of neighbouring elements in an entry. */
  #separate(): void {
    if (this.#entryDepth > 0) {
      this.#ofEntry(' ');
    }
  }

  /** Adds text to a field of an entry. Markup inside a field is part of the field. */
  #ofEntry(part: string): void {
    const [entry, name] = [this.entries.at(-1), this.#path[this.#entryDepth] ?? ''];
    if (ENTRY_FIELDS.has(name)) {
      entry?.set(name, (entry.get(name) ?? '') + part);
    }
  }

  #ofFeed(part: string): void {
    const name = this.#path.at(-1) ?? '';
    const known = this.fields.get(name) ?? '';
    if (FEED_FIELDS.has(name) && known.length < MAX_FIELD) {
      this.fields.set(name, known + part);
    }
  }

  /**
   * Returns true for a field directly below the feed or its channel. Deeper elements, such as an image, have titles
   * too.
   */
  #isOfFeed(): boolean {
    return this.#path.at(-2) === 'channel' || this.#depth === 2;
  }
}

/** Parses a JSON feed. If the JSON is invalid, the feed has no fields and no entries. */
function jsonFeed(text: string): Feed {
  try {
    const feed: unknown = JSON.parse(text);
    const items: unknown = isObject(feed) ? Reflect.get(feed, 'items') : undefined;
    const entries: unknown[] = Array.isArray(items) ? items.slice(0, MAX_ENTRIES) : [];
    return {
      fields: fieldsOf(feed, FEED_FIELDS),
      entries: entries.map((entry) => fieldsOf(entry, ENTRY_FIELDS)),
    };
  } catch {
    return { fields: new Map(), entries: [] };
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function fieldsOf(value: unknown, names: ReadonlySet<string>): FeedFields {
  const given: [string, unknown][] = isObject(value) ? Object.entries(value) : [];
  return new Map(
    given.flatMap(([name, text]) =>
      names.has(name) && typeof text === 'string' ? [[name, text]] : [],
    ),
  );
}

/** Counts the words in the titles and texts of all entries, without markup. */
const wordsOfEntries = (entries: readonly FeedFields[]): number =>
  documentWords(entries.flatMap(textsOf).map(markupText).join('\n'));

const textsOf = (entry: FeedFields): string[] => [
  entry.get('title') ?? '',
  ENTRY_TEXTS.map((name) => entry.get(name) ?? '').find((text) => text.trim() !== '') ?? '',
];

/** Extracts the facts of a feed (RSS, Atom, RDF or JSON) and counts the words of its entries. */
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
