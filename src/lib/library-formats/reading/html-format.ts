import { Parser } from 'htmlparser2';

import { yieldToOthers } from '../../util/event-loop.js';
import type { Format, ImportRow, ItemToImport, Source } from '../format.js';
import { type LeftOut, namesLeftOut, type UnreadFields } from '../unread-fields.js';
import { HtmlLink } from './html-link.js';
import { newestFirst, type NoItem, refused, rowFrom } from './item-from.js';
import { decodedText } from './text.js';

/** Handlers of a LinkReader, called in document order. Names of tags and attributes are in lower case. */
interface LinkHandlers {
  onOpen(name: string, attributes: Readonly<Record<string, string>>): void;
  onText(text: string): void;
  onClose(name: string): void;
  onComment?(text: string): void;
}

/** State that applies to the links after it: headings and folders. Is not called for links and descriptions. */
export interface Surroundings extends LinkHandlers {
  /** Called after the description of the link, before anything that follows it. */
  itemOf(link: HtmlLink): ItemToImport | NoItem;
}

interface HtmlFormat extends Pick<Format, 'name' | 'recognitions'> {
  /** Attributes of links, or `<dd>`, that are ignored on purpose. */
  readonly leftOut?: LeftOut;
  surroundings(): Surroundings;
}

/** Small enough that tags which are never closed cost little: the parser searches among them. */
const PIECE = 8_192;
/** Folders nest some levels; more are tags that are never closed, of which the parser then forgets. */
const MAX_DEPTH = 256;
/** A tag or a comment that is longer is not closed. Icons, which stand in attributes, have some kilobytes. */
const MAX_UNTAGGED = 4_000_000;
/** Within a description, these begin a line. All other tags are ignored there. */
const LINE_TAGS = new Set(['br', 'p', 'div', 'blockquote', 'li']);
/** These end a description that is not closed. */
const STRUCTURE = new Set(['dt', 'dd', 'dl', 'h1', 'h2', 'h3', 'hr']);
/** A `<dd>` after the end of these still describes the link before it. */
const BEFORE_DESCRIPTION = new Set(['dt', 'p', 'b', 'em', 'i', 'span', 'strong']);
/** Of these, a bookmark has at least one. A link within a description has none. */
const BOOKMARK_ATTRIBUTES = ['add_date', 'last_modified', 'private', 'tags', 'toread', 'icon'];
const UNCLOSED =
  'A tag or a comment opens here and is not closed: the rest of the file cannot be read.';

/** Returns a format whose rows are the links of a document, newest first, as services write such files. */
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

/** Turns links, each with the `<dd>` after it, into rows. */
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

  /** Ends the last link, if it has not ended. */
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

  /** A heading may be in a link. Only what follows a link ends it. */
  #endUnlessOpen(): void {
    if (this.#isIn !== 'link') {
      this.end();
    }
  }
}

const isBookmark = (attributes: Readonly<Record<string, string>>): boolean =>
  BOOKMARK_ATTRIBUTES.some((name) => name in attributes);

/** Reads markup as it comes, however wrong it is. */
class LinkReader {
  readonly #handlers: LinkHandlers;
  #parser: Parser;
  #depth = 0;
  #untagged = 0;

  constructor(handlers: LinkHandlers) {
    this.#handlers = handlers;
    this.#parser = this.#newParser();
  }

  /** False where the rest cannot be read, because something is opened and never closed. */
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

/** Behind a tag, where it can be: there the parser may be replaced. */
function endOfPiece(text: string, start: number): number {
  const lastTag = text.lastIndexOf('>', start + PIECE) + 1;
  return lastTag > start ? lastTag : start + PIECE;
}
