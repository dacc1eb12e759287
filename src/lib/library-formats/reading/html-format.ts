import { Parser } from 'htmlparser2';

import { yieldToOthers } from '../../util/event-loop.js';
import type { Format, ImportRow, ItemToImport, Source } from '../format.js';
import { type LeftOut, namesLeftOut, type UnreadFields } from '../unread-fields.js';
import { HtmlLink } from './html-link.js';
import { newestFirst, type NoItem, refused, rowFrom } from './item-from.js';
import { decodedText } from './text.js';

/** Handlers that a LinkReader calls in document order. Tag and attribute names are in lower case. */
interface LinkHandlers {
  onOpen(name: string, attributes: Readonly<Record<string, string>>): void;
  onText(text: string): void;
  onClose(name: string): void;
  onComment?(text: string): void;
}

/** The headings and folders around a link. The handlers are not called for links and descriptions. */
export interface Surroundings extends LinkHandlers {
  /** Returns the item of a link. Called after the description of the link, and before the next part of the document. */
  itemOf(link: HtmlLink): ItemToImport | NoItem;
}

interface HtmlFormat extends Pick<Format, 'name' | 'recognitions'> {
  /** Attributes of links that are ignored on purpose. `<dd>` stands for the description. */
  readonly leftOut?: LeftOut;
  surroundings(): Surroundings;
}

/**
 * The number of characters that are parsed in one piece. It limits how many tags one piece can open, because the parser
 * searches its list of open tags.
 */
const PIECE = 8_192;
/**
 * The maximum depth of open tags. Folders nest only a few levels, so deeper nesting comes from unclosed tags. The
 * parser is then replaced.
 */
const MAX_DEPTH = 256;
/**
 * The maximum length of a tag or comment in characters. A longer tag or comment is never closed: even icons in
 * attributes have only a few kilobytes.
 */
const MAX_UNTAGGED = 4_000_000;
/** Tags that begin a new line in a description. All other tags in descriptions are ignored. */
const LINE_TAGS = new Set(['br', 'p', 'div', 'blockquote', 'li']);
/** Tags that end a description without a closing tag. */
const STRUCTURE = new Set(['dt', 'dd', 'dl', 'h1', 'h2', 'h3', 'hr']);
/** Tags that can end between a link and its `<dd>` element. The `<dd>` element still describes the link. */
const BEFORE_DESCRIPTION = new Set(['dt', 'p', 'b', 'em', 'i', 'span', 'strong']);
/** Attributes of bookmark links. A bookmark has at least one of them, and a link within a description has none. */
const BOOKMARK_ATTRIBUTES = ['add_date', 'last_modified', 'private', 'tags', 'toread', 'icon'];
const UNCLOSED =
  'A tag or a comment opens here and is not closed: the rest of the file cannot be read.';

/** Returns a format whose rows are the links of an HTML document. Services write the newest link first. */
export const htmlFormat = (format: HtmlFormat): Format => ({
  name: format.name,
  syntax: 'markup',
  recognitions: format.recognitions,
  rows: (source, unread) => rowsOf(source, new Links(source.path, format, unread)),
});

async function* rowsOf(source: Source, links: Links): AsyncGenerator<ImportRow> {
  const reader = new LinkReader(links);
  for await (const chunk of decodedText(source.bytes())) {
    const isReadable = reader.write(chunk);
    if (!isReadable) {
      links.end();
    }
    yield* links.takeRows();
    if (!isReadable) {
      links.end();
      yield* links.takeRows();
      yield refused(links.nextPlace(), UNCLOSED);
      return;
    }
    await yieldToOthers();
  }
  reader.end();
  links.end();
  yield* links.takeRows();
}

/** Converts each link, with the `<dd>` element after it, to a row. */
class Links implements LinkHandlers {
  readonly #surroundings: Surroundings;
  readonly #leftOut: ReadonlySet<string>;
  #rows: ImportRow[] = [];
  #link: HtmlLink | undefined;
  #isIn: 'link' | 'description' | 'neither' = 'neither';
  #number = 0;

  constructor(
    private readonly path: string,
    format: HtmlFormat,
    private readonly unread: UnreadFields | undefined,
  ) {
    this.#surroundings = format.surroundings();
    this.#leftOut = namesLeftOut(format.leftOut);
  }

  onOpen(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#isNewLink(name, attributes)) {
      this.end();
      this.#link = new HtmlLink(attributes);
      this.#isIn = 'link';
    } else if (name === 'dd' && this.#link !== undefined) {
      this.#isIn = 'description';
    } else if (this.#isIn === 'description' && !STRUCTURE.has(name)) {
      this.#link?.addDescription(LINE_TAGS.has(name) ? '\n' : '');
    } else {
      this.#endUnlessOpen();
      this.#surroundings.onOpen(name, attributes);
    }
  }

  #isNewLink(name: string, attributes: Readonly<Record<string, string>>): boolean {
    return name === 'a' && (this.#isIn !== 'description' || isBookmark(attributes));
  }

  onText(text: string): void {
    if (this.#isIn === 'description') {
      this.#link?.addDescription(text);
    } else if (this.#isIn === 'link') {
      this.#link?.addText(text);
    } else {
      this.#surroundings.onText(text);
    }
  }

  onClose(name: string): void {
    if (name === 'a') {
      this.#isIn = this.#isIn === 'link' ? 'neither' : this.#isIn;
    } else if (this.#isIn !== 'description' || STRUCTURE.has(name)) {
      if (!BEFORE_DESCRIPTION.has(name)) {
        this.#endUnlessOpen();
      }
      this.#surroundings.onClose(name);
    }
  }

  onComment(text: string): void {
    this.#surroundings.onComment?.(text);
  }

  /** Adds the row of the last link, unless the row is already added. */
  end(): void {
    const link = this.#link;
    this.#link = undefined;
    this.#isIn = 'neither';
    if (link === undefined) {
      return;
    }
    const item = this.#surroundings.itemOf(link);
    const row = newestFirst(rowFrom(this.nextPlace(), item, link.text));
    this.#rows.push(row);
    if (this.unread !== undefined && 'item' in row) {
      for (const name of link.unread(this.#leftOut)) {
        this.unread.count(this.path, name === '<dd>' ? 'element' : 'attribute', name);
      }
    }
  }

  takeRows(): readonly ImportRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  nextPlace(): ImportRow['place'] {
    this.#number += 1;
    return { path: this.path, line: this.#number };
  }

  /** Ends the current link, unless its `<a>` is still open, because a heading may be inside a link. */
  #endUnlessOpen(): void {
    if (this.#isIn !== 'link') {
      this.end();
    }
  }
}

const isBookmark = (attributes: Readonly<Record<string, string>>): boolean =>
  BOOKMARK_ATTRIBUTES.some((name) => name in attributes);

/** Parses HTML, even if it is malformed. */
class LinkReader {
  readonly #handlers: LinkHandlers;
  #parser: Parser;
  #depth = 0;
  #untagged = 0;

  constructor(handlers: LinkHandlers) {
    this.#handlers = handlers;
    this.#parser = this.#newParser();
  }

  /**
   * Parses a chunk of a document. Returns false if the rest of the document cannot be parsed, because a tag or comment
   * is never closed.
   */
  write(text: string): boolean {
    let at = 0;
    while (at < text.length && this.#untagged <= MAX_UNTAGGED) {
      const piece = text.slice(at, endOfPiece(text, at));
      at += piece.length;
      this.#untagged += piece.length;
      this.#parser.write(piece);
      if (this.#depth > MAX_DEPTH) {
        this.#parser = this.#newParser();
      }
    }
    return this.#untagged <= MAX_UNTAGGED;
  }

  end(): void {
    this.#parser.end();
  }

  #newParser(): Parser {
    this.#depth = 0;
    return new Parser({
      onopentag: (name, attributes) => {
        this.#depth += 1;
        this.#untagged = 0;
        this.#handlers.onOpen(name, attributes);
      },
      ontext: (text) => {
        this.#untagged = 0;
        this.#handlers.onText(text);
      },
      onclosetag: (name) => {
        this.#depth -= 1;
        this.#untagged = 0;
        this.#handlers.onClose(name);
      },
      oncomment: (text) => {
        this.#untagged = 0;
        this.#handlers.onComment?.(text);
      },
    });
  }
}

/**
 * Returns the end of the next piece to parse. If possible, the piece ends after a tag, because the parser can be
 * replaced at this point.
 */
function endOfPiece(text: string, start: number): number {
  const lastTag = text.lastIndexOf('>', start + PIECE) + 1;
  return lastTag > start ? lastTag : start + PIECE;
}
