import { type Handler, Parser } from 'htmlparser2';

import { yieldToOthers } from '../../util/event-loop.js';
import type { Format, ImportRow, ItemToImport, Source } from '../format.js';
import { type LeftOut, namesLeftOut, type NotImportedFields } from '../not-imported.js';
import { type NoItem, refused, rowFrom, TOO_LARGE } from './item-from.js';
import { Members } from './members.js';
import { textOf } from './read-value.js';
import { decodedText } from './text.js';

interface XmlFormat extends Pick<Format, 'name' | 'recognitions'> {
  /**
   * The names of the nested elements from the root of the document to the element that describes a
   * saved page. Each element at this path becomes a row.
   */
  readonly rowPath: readonly string[];
  /**
   * Elements and attributes that the import ignores on purpose. Their paths begin at the element of
   * a saved page.
   */
  readonly leftOut?: LeftOut;
  itemOf(members: Members): ItemToImport | NoItem;
}

/** The number of characters that are parsed before other work of the process can run. */
const PIECE = 65_536;
/** Fields that the import report shows for a refused row, so that the user can identify it. */
const LABELS = ['url', 'href', 'title', 'description'];
const BREAKS_OFF = 'The XML breaks off here: the file is not complete.';
const TOO_DEEP = 'The XML is nested too deeply: the rest of the file cannot be read.';
const UNCLOSED =
  'A tag or a text opens here and is not closed: the rest of the file cannot be read.';

/** Returns an import format for the XML documents of one service. Each element at `rowPath` becomes a row. */
export const xmlFormat = (format: XmlFormat): Format => ({
  name: format.name,
  syntax: 'markup',
  recognitions: format.recognitions,
  rows: (source, notImported) => new XmlRows(source, format, notImported).read(),
});

class XmlRows {
  readonly #records: XmlRecords;
  readonly #parser: Parser;
  readonly #leftOut: ReadonlySet<string>;
  #number = 0;

  constructor(
    private readonly source: Source,
    private readonly format: XmlFormat,
    private readonly notImported: NotImportedFields | undefined,
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
        this.#countNotImported(members);
      }
      return row;
    });
  }

  #countNotImported(members: Members): void {
    const paths = new Set<string>();
    members.collectNotImported('', this.#leftOut, paths);
    for (const path of paths) {
      this.notImported?.count(this.source.path, 'element', path);
    }
  }

  #nextPlace(): ImportRow['place'] {
    this.#number += 1;
    return { path: this.source.path, line: this.#number };
  }
}

/**
 * A row that was read from an XML element. Its fields are the attributes and children of the
 * element.
 */
interface XmlRecord {
  readonly members: Members;
  readonly isTooLarge: boolean;
}

interface Element {
  readonly name: string;
  readonly children: (readonly [string, unknown])[];
  readonly text: string[];
}

/** The maximum depth of nested elements in an XML document. Exports have a depth of four. */
const MAX_DEPTH = 64;
/**
 * The maximum length of an element's text. Longer texts, such as the articles in some exports, are
 * cut, because the import does not need them.
 */
const MAX_TEXT = 100_000;
/**
 * The maximum size of an element that becomes a row: the number of characters in all its texts, plus `ELEMENT_SIZE` for
 * each element inside it.
 */
const MAX_RECORD_SIZE = 4_000_000;
const ELEMENT_SIZE = 128;
/**
 * The maximum number of characters between two tags or texts that the parser reports. After more
 * characters, the import assumes that a tag, a comment or a CDATA section is never closed.
 */
const MAX_PENDING = 8_000_000;
/**
 * The name of an element that is an entry of a list. If all children of an element have this name, the value of the
 * element is a list.
 */
const LIST_ENTRY = 'entry';

/**
 * Collects the elements at one path from the events of an XML parser, and drops all other elements.
 */
class XmlRecords implements Partial<Handler> {
  readonly #path: string[] = [];
  readonly #elements: Element[] = [];
  #records: XmlRecord[] = [];
  #size = 0;
  #pending = 0;
  #hasRoot = false;
  #problem: 'deep' | 'unclosed' | undefined;

  constructor(private readonly rowPath: readonly string[]) {}

  /** The reason why the rest of the document cannot be read. Undefined if no problem was found. */
  get problem(): 'deep' | 'unclosed' | undefined {
    return this.#problem;
  }

  get isComplete(): boolean {
    return this.#hasRoot && this.#path.length === 0;
  }

  takeRecords(): readonly XmlRecord[] {
    const records = this.#records;
    this.#records = [];
    return records;
  }

  /** Adds to the number of characters since the last tag or text that the parser reported. */
  addPending(length: number): void {
    this.#pending += length;
    if (this.#pending > MAX_PENDING) {
      this.#problem ??= 'unclosed';
    }
  }

  onopentag(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#pending = 0;
    this.#hasRoot = true;
    this.#path.push(name);
    if (this.#path.length > MAX_DEPTH) {
      this.#problem = 'deep';
    } else if (this.#elements.length > 0 || this.#isAtRow()) {
      this.#size = this.#elements.length === 0 ? 0 : this.#size + ELEMENT_SIZE;
      this.#elements.push({ name, children: Object.entries(attributes), text: [] });
    }
  }

  ontext(text: string): void {
    this.#pending = 0;
    this.#size += text.length;
    if (this.#size <= MAX_RECORD_SIZE) {
      this.#elements.at(-1)?.text.push(text);
    }
  }

  onclosetag(): void {
    this.#pending = 0;
    this.#path.pop();
    const element = this.#elements.pop();
    const parent = this.#elements.at(-1);
    if (element !== undefined && parent === undefined) {
      this.#records.push({
        members: membersFrom(element.children),
        isTooLarge: this.#size > MAX_RECORD_SIZE,
      });
    } else if (element !== undefined && this.#size <= MAX_RECORD_SIZE) {
      parent?.children.push([element.name, valueOf(element)]);
    }
  }

  #isAtRow(): boolean {
    const [path, rowPath] = [this.#path, this.rowPath];
    return path.length === rowPath.length && path.every((name, at) => name === rowPath[at]);
  }
}

/**
 * Returns the value of an element: its text if it has no children, a list if all its children are list entries, or
 * otherwise an object with its children as fields.
 */
function valueOf({ children, text }: Element): unknown {
  if (children.length === 0) {
    return text.join('').slice(0, MAX_TEXT).trim();
  }
  const isList = children.every(([name]) => name === LIST_ENTRY);
  return isList ? children.map(([, value]) => value) : membersFrom(children);
}

/**
 * Returns the children of an element as fields. If several children have the same name, the field is a list of their
 * values.
 */
function membersFrom(children: Element['children']): Members {
  const values = new Map<string, unknown[]>();
  for (const [name, value] of children) {
    const all = values.get(name) ?? [];
    all.push(value);
    values.set(name, all);
  }
  return new Members([...values].map(([name, all]) => [name, all.length === 1 ? all[0] : all]));
}
