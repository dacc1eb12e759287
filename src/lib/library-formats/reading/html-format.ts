import { Parser } from 'htmlparser2';

import { yieldToOthers } from '../../util/event-loop.js';
import type { Format, ImportRow, ItemToImport, Source } from '../format.js';
import { type LeftOut, namesLeftOut, type NotImportedFields } from '../not-imported.js';
import { HtmlLink } from './html-link.js';
import { newestFirst, type NoItem, refused, rowFrom } from './item-from.js';
import { decodedText } from './text.js';

/**
 * Methods that a LinkReader calls for the tags, texts and comments of an HTML document, in document order. The names of
 * tags and attributes are in lower case.
 */
interface LinkHandlers {
  onOpen(name: string, attributes: Readonly<Record<string, string>>): void;
  onText(text: string): void;
  onClose(name: string): void;
  onComment?(text: string): void;
}

/**
 * Keeps track of the headings and folders around the current link. The methods are not called for tags and texts inside
 * a link or its description.
 */
export interface Surroundings extends LinkHandlers {
  /** Returns the item for a link. The import calls this method after the end of the description of the link. */
  itemOf(link: HtmlLink): ItemToImport | NoItem;
}

interface HtmlFormat extends Pick<Format, 'name' | 'recognitions'> {
  /**
   * Attributes of links that the import ignores on purpose. The name `<dd>` means the description
   * of the link.
   */
  readonly leftOut?: LeftOut;
  surroundings(): Surroundings;
}

/**
 * The number of characters that are parsed in one step. The depth of open tags is checked after
 * each step, so this number limits how far a step can exceed MAX_DEPTH. With many open tags, the
 * parser is slow.
 */
const PIECE = 8_192;
/**
 * The maximum depth of open tags. Real folders nest only a few levels, so a deeper document
 * contains unclosed tags. The rest of such a document is parsed with a new parser, which has no
 * open tags.
 */
const MAX_DEPTH = 256;
/**
 * The maximum length of a tag or comment in characters. A longer tag or comment is never closed. Even tags with icons
 * in their attributes have only a few kilobytes.
 */
const MAX_UNTAGGED = 4_000_000;
/** Tags that begin a new line in a link's description. Other tags inside a description are ignored. */
const LINE_TAGS = new Set(['br', 'p', 'div', 'blockquote', 'li']);
/** Tags that end the description of a link, even if its `<dd>` element is not closed. */
const STRUCTURE = new Set(['dt', 'dd', 'dl', 'h1', 'h2', 'h3', 'hr']);
/** Elements that can end between a link and the `<dd>` element with its description. */
const BEFORE_DESCRIPTION = new Set(['dt', 'p', 'b', 'em', 'i', 'span', 'strong']);
/**
 * Attributes that identify a bookmark. A link without these attributes inside a description is part of the description.
 */
const BOOKMARK_ATTRIBUTES = ['add_date', 'last_modified', 'private', 'tags', 'toread', 'icon'];
const UNCLOSED =
  'A tag or a comment opens here and is not closed: the rest of the file cannot be read.';

/**
 * Returns an import format for the HTML documents of one service. Each link becomes a row. The first link of a document
 * is the newest, because services write the newest link first.
 */
export const htmlFormat = (format: HtmlFormat): Format => ({
  name: format.name,
  syntax: 'markup',
  recognitions: format.recognitions,
  rows: (source, notImported) => rowsOf(source, new Links(source.path, format, notImported)),
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

/** Creates a row from each link and its description. The description is in the `<dd>` element after the link. */
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
    private readonly notImported: NotImportedFields | undefined,
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

  /** Adds the row of the current link, and ends the link. Does nothing if no link is open. */
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
    if (this.notImported !== undefined && 'item' in row) {
      for (const name of link.notImported(this.#leftOut)) {
        this.notImported.count(this.path, name === '<dd>' ? 'element' : 'attribute', name);
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

  /** Ends the current link, unless its `<a>` element is still open. */
  #endUnlessOpen(): void {
    if (this.#isIn !== 'link') {
      this.end();
    }
  }
}

const isBookmark = (attributes: Readonly<Record<string, string>>): boolean =>
  BOOKMARK_ATTRIBUTES.some((name) => name in attributes);

/** Parses an HTML document, even if it is malformed, and calls the handlers for its tags, texts and comments. */
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
   * Parses a chunk of an HTML document. Returns false if a tag or comment is never closed, because the rest of the
   * document then cannot be parsed.
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
 * Returns the index at which the next parsing step ends. If possible, the index is after the end of a tag, because a
 * new parser can only begin between tags.
 */
function endOfPiece(text: string, start: number): number {
  const lastTag = text.lastIndexOf('>', start + PIECE) + 1;
  return lastTag > start ? lastTag : start + PIECE;
}
