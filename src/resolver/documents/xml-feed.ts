import { Parser } from 'htmlparser2';

import { ENTRY_FIELDS, type Feed, FEED_FIELDS, MAX_ENTRIES } from './feed.js';

/** What a feed says of itself stands before its entries, or right after them. */
const READ_CHARACTERS = 5_000_000;
/** Entries may hold markup. */
const MAX_DEPTH = 200;
const MAX_FIELD = 5000;
const ENTRIES = new Set(['item', 'entry']);

/** What a feed of XML (RSS, Atom, RDF) says, as far as it is read. */
export function xmlFeed(text: string): Feed {
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
  /** Of the entry around; 0 outside of all. */
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

  /** Elements of a text stand apart. */
  #separate(): void {
    if (this.#entryDepth > 0) {
      this.#ofEntry(' ');
    }
  }

  /** Markup below a field is part of it. */
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

  /** The first level below the feed or its channel: an image of the channel has a title too. */
  #isOfFeed(): boolean {
    return this.#path.at(-2) === 'channel' || this.#depth === 2;
  }
}
