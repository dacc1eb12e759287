import { Parser } from 'htmlparser2';

import { yieldToOthers } from '../../common/event-loop.js';
import type { Format, ImportRow, ItemToImport, Source } from '../format.js';
import { newestFirst, type NoItem, refused, rowFrom } from './item-from.js';
import { decodedText } from './text.js';

/** Handlers of a LinkReader, called in the order of the document; names of tags and attributes are in lower case. */
interface LinkHandlers {
  onOpen(name: string, attributes: Readonly<Record<string, string>>): void;
  onText(text: string): void;
  onClose(name: string): void;
}

/** A link as it stands in a document, under its headings or in its folders. */
export interface HtmlLink {
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
}

/** What applies to the links that follow: headings and folders. */
export interface Surroundings extends LinkHandlers {
  itemOf(link: HtmlLink): ItemToImport | NoItem;
}

/** Small enough that tags which are never closed cost little: the parser searches among them. */
const PIECE = 8_192;
/** Folders nest some levels; more are tags that are never closed, of which the parser then forgets. */
const MAX_DEPTH = 256;
/** A tag or a comment that is longer is not closed. Icons, which stand in attributes, have some kilobytes. */
const MAX_UNTAGGED = 4_000_000;
const MAX_TEXT = 10_000;
const UNCLOSED =
  'A tag or a comment opens here and is not closed: the rest of the file cannot be read.';

/** A format whose rows are the links of a document, the newest first, as services write such files. */
export const htmlFormat = (
  parts: Pick<Format, 'name' | 'matches'> & { surroundings: () => Surroundings },
): Format => ({
  name: parts.name,
  matches: (head) => parts.matches(head),
  rows: (source) => rowsOf(source, new Links(source.path, parts.surroundings())),
});

async function* rowsOf(source: Source, links: Links): AsyncGenerator<ImportRow> {
  const reader = new LinkReader(links);
  for await (const chunk of decodedText(source.bytes())) {
    const isReadable = reader.write(chunk);
    yield* links.takeRows();
    if (!isReadable) {
      yield refused(links.nextPlace(), UNCLOSED);
      return;
    }
    await yieldToOthers();
  }
  reader.end();
  links.end();
  yield* links.takeRows();
}

class Links implements LinkHandlers {
  #rows: ImportRow[] = [];
  #attributes: Readonly<Record<string, string>> | undefined;
  #text = '';
  #number = 0;

  constructor(
    private readonly path: string,
    private readonly surroundings: Surroundings,
  ) {}

  onOpen(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'a') {
      this.end();
      this.#attributes = attributes;
      return;
    }
    this.surroundings.onOpen(name, attributes);
  }

  onText(text: string): void {
    if (this.#attributes === undefined) {
      this.surroundings.onText(text);
    } else if (this.#text.length < MAX_TEXT) {
      this.#text += text;
    }
  }

  onClose(name: string): void {
    if (name === 'a') {
      this.end();
    } else {
      this.surroundings.onClose(name);
    }
  }

  /** Of a link that is open. */
  end(): void {
    const attributes = this.#attributes;
    const text = this.#text.replaceAll(/\s+/g, ' ').trim();
    this.#attributes = undefined;
    this.#text = '';
    if (attributes !== undefined) {
      const item = this.surroundings.itemOf({ attributes, text });
      this.#rows.push(newestFirst(rowFrom(this.nextPlace(), item, text)));
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
}

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
      oncomment: () => {
        this.#untagged = 0;
      },
    });
  }
}

/** Behind a tag, where it can be: there the parser may be replaced. */
function endOfPiece(text: string, start: number): number {
  const lastTag = text.lastIndexOf('>', start + PIECE) + 1;
  return lastTag > start ? lastTag : start + PIECE;
}
