import { decodeHTML } from 'entities';
import { Parser, Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

import { defined } from '../../util/defined.js';
import { plain } from '../plain-text.js';
import { type DocumentFacts, documentWords, MAX_EXCERPT, MAX_TITLE } from './document-facts.js';

/** The texts of a feed or of a feed entry, keyed by element name. */
type FeedFields = ReadonlyMap<string, string>;

/** A feed in one of the formats RSS, Atom, RDF and JSON. */
interface Feed {
  readonly fields: FeedFields;
  readonly entries: readonly FeedFields[];
}

const FEED_FIELDS: ReadonlySet<string> = new Set(['title', 'description', 'subtitle', 'language']);

/**
 * The fields that can contain the text of a feed entry, the most complete one first. The first
 * field that is not empty is used, because the other fields repeat its text or a part of it.
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

/** The maximum number of entries that are read from a feed. Later entries are ignored. */
const MAX_ENTRIES = 100_000;

/**
 * The number of characters of a feed that are parsed. The fields of the feed itself, such as its
 * title, are usually near the beginning.
 */
const READ_CHARACTERS = 5_000_000;
/**
 * The maximum depth of the elements in a feed. The limit is high, because the markup of an entry may be deeply nested.
 */
const MAX_DEPTH = 200;
const MAX_FIELD = 5000;
const ENTRIES = new Set(['item', 'entry']);

/**
 * Parses an XML feed (RSS, Atom, RDF). Limits the number of entries, the number of characters and the depth of
 * elements.
 */
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
  /** The depth of the entry element that is being parsed, or 0 outside of entries. */
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

  /** Inserts a space between the texts of neighbouring elements in an entry. */
  #separate(): void {
    if (this.#entryDepth > 0) {
      this.#ofEntry(' ');
    }
  }

  /**
   * Appends text to a field of the current entry. The text may be nested several levels below the
   * field.
   */
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
   * Returns true for a field of the feed itself, such as its title. Its parent must be the feed or
   * the channel, because other elements, such as an image, have titles too.
   */
  #isOfFeed(): boolean {
    return this.#path.at(-2) === 'channel' || this.#depth === 2;
  }
}

/** Parses a JSON feed. Returns an empty feed if the JSON is invalid. */
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

/** Returns the number of words in the titles and texts of all entries of a feed. Ignores markup. */
const wordsOfEntries = (entries: readonly FeedFields[]): number =>
  documentWords(entries.flatMap(textsOf).map(markupText).join('\n'));

const textsOf = (entry: FeedFields): string[] => [
  entry.get('title') ?? '',
  ENTRY_TEXTS.map((name) => entry.get(name) ?? '').find((text) => text.trim() !== '') ?? '',
];

/**
 * Returns the metadata of a feed (RSS, Atom, RDF or JSON), and the number of words in its entries.
 */
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

/**
 * Returns the visible text of an HTML fragment, with spaces in place of tags. Takes linear time.
 */
function markupText(html: string): string {
  const hearer = new TextHearer(html);
  const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: false }, hearer);
  tokenizer.write(html);
  tokenizer.end();
  return decodeHTML(hearer.parts.join(' '));
}

const SILENT: ReadonlySet<string> = new Set(['script', 'style']);
const NOTHING = (): void => undefined;

class TextHearer implements TokenizerCallbacks {
  readonly parts: string[] = [];
  #silent = false;

  constructor(private readonly html: string) {}

  onopentagname(start: number, end: number): void {
    this.#silent = SILENT.has(this.html.slice(start, end).toLowerCase());
  }

  onclosetag(): void {
    this.#silent = false;
  }

  ontext(start: number, end: number): void {
    if (!this.#silent) {
      this.parts.push(this.html.slice(start, end));
    }
  }

  readonly onattribdata = NOTHING;
  readonly onattribend = NOTHING;
  readonly onattribentity = NOTHING;
  readonly onattribname = NOTHING;
  readonly oncdata = NOTHING;
  readonly oncomment = NOTHING;
  readonly ondeclaration = NOTHING;
  readonly onend = NOTHING;
  readonly onopentagend = NOTHING;
  readonly onprocessinginstruction = NOTHING;
  readonly onselfclosingtag = NOTHING;
  readonly ontextentity = NOTHING;
}
