import { Parser } from 'htmlparser2';

import { yieldToOthers } from '../../util/event-loop.js';
import type { Format, ImportRow, ItemToImport, Source } from '../format.js';
import { type LeftOut, namesLeftOut, type UnreadFields } from '../unread-fields.js';
import { type NoItem, refused, rowFrom } from './item-from.js';
import type { Members } from './members.js';
import { textOf } from './read-value.js';
import { decodedText } from './text.js';
import { XmlRecords } from './xml-records.js';

interface XmlFormat extends Pick<Format, 'name' | 'recognitions'> {
  /** The names of the elements from the root of the document to a saved page. */
  readonly rowPath: readonly string[];
  /** Elements and attributes that the import ignores on purpose. Their paths begin at the element of a row. */
  readonly leftOut?: LeftOut;
  itemOf(members: Members): ItemToImport | NoItem;
}

/** The number of characters that are parsed in one step. Between two steps, other work of the process can run. */
const PIECE = 65_536;
/** Fields that the import report shows for a refused row, so that the user can identify it. */
const LABELS = ['url', 'href', 'title', 'description'];
const TOO_LARGE = 'The entry is larger than any saved page can be.';
const BREAKS_OFF = 'The XML breaks off here: the file is not complete.';
const TOO_DEEP = 'The XML is nested too deeply: the rest of the file cannot be read.';
const UNCLOSED =
  'A tag or a text opens here and is not closed: the rest of the file cannot be read.';

/** Returns an import format for XML documents of one service. Certain elements of the document become rows. */
export const xmlFormat = (format: XmlFormat): Format => ({
  name: format.name,
  syntax: 'markup',
  recognitions: format.recognitions,
  rows: (source, unread) => new XmlRows(source, format, unread).read(),
});

class XmlRows {
  readonly #records: XmlRecords;
  readonly #parser: Parser;
  readonly #leftOut: ReadonlySet<string>;
  #number = 0;

  constructor(
    private readonly source: Source,
    private readonly format: XmlFormat,
    private readonly unread: UnreadFields | undefined,
  ) {
    this.#records = new XmlRecords(format.rowPath);
    this.#parser = new Parser(this.#records, { xmlMode: true });
    this.#leftOut = namesLeftOut(format.leftOut);
  }

  async *read(): AsyncGenerator<ImportRow> {
    for await (const chunk of decodedText(this.source.bytes())) {
      for (let at = 0; at < chunk.length; at += PIECE) {
        const piece = chunk.slice(at, at + PIECE);
        this.#parser.write(piece);
        this.#records.addPending(piece.length);
        yield* this.#takeRows();
        if (this.#records.problem !== undefined) {
          yield refused(this.#nextPlace(), this.#records.problem === 'deep' ? TOO_DEEP : UNCLOSED);
          return;
        }
      }
      await yieldToOthers();
    }
    if (!this.#records.isComplete) {
      yield refused(this.#nextPlace(), BREAKS_OFF);
    }
  }

  #takeRows(): readonly ImportRow[] {
    return this.#records.takeRecords().map(({ members, isTooLarge }) => {
      const place = this.#nextPlace();
      const labels = LABELS.map((name) => textOf(members.peek(name)));
      const text = labels.find((label) => label !== '') ?? '';
      if (isTooLarge) {
        return refused(place, TOO_LARGE, text);
      }
      const row = rowFrom(place, this.format.itemOf(members), text);
      if ('item' in row) {
        this.#countUnread(members);
      }
      return row;
    });
  }

  #countUnread(members: Members): void {
    const paths = new Set<string>();
    members.collectUnread('', this.#leftOut, paths);
    for (const path of paths) {
      this.unread?.count(this.source.path, 'element', path);
    }
  }

  #nextPlace(): ImportRow['place'] {
    this.#number += 1;
    return { path: this.source.path, line: this.#number };
  }
}
