import type { Handler } from 'htmlparser2';

import { Members } from './members.js';

/** An element of an XML document that contains one record, with its attributes and children. */
interface XmlRecord {
  readonly members: Members;
  readonly isTooLarge: boolean;
}

interface Element {
  readonly name: string;
  readonly children: (readonly [string, unknown])[];
  readonly text: string[];
}

/** The maximum depth of an XML document. Exports nest four levels. */
const MAX_DEPTH = 64;
/** The maximum length of a text. Longer texts, such as articles, are not needed and are cut. */
const MAX_TEXT = 100_000;
/** The maximum size of a record in characters. Each element adds `ELEMENT_SIZE` to the size. */
const MAX_RECORD_SIZE = 4_000_000;
const ELEMENT_SIZE = 128;
/**
 * The maximum number of characters without a complete tag or text. A longer tag, comment or CDATA section is never
 * closed.
 */
const MAX_PENDING = 8_000_000;
/** The name of the elements that form a list. An element whose children all have this name is a list. */
const LIST_ENTRY = 'entry';

/** Handlers for an XML parser that collect the elements at one path and drop everything else. */
export class XmlRecords implements Partial<Handler> {
  readonly #path: string[] = [];
  readonly #elements: Element[] = [];
  #records: XmlRecord[] = [];
  #size = 0;
  #pending = 0;
  #hasRoot = false;
  #problem: 'deep' | 'unclosed' | undefined;

  constructor(private readonly rowPath: readonly string[]) {}

  /** The reason why the rest of the document cannot be read. Undefined if the whole document can be read. */
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

  /** Counts the characters that the parser has received since the last complete tag or text. */
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

/** Returns the value of an element: its text, the list of its entries, or its fields. */
function valueOf({ children, text }: Element): unknown {
  if (children.length === 0) {
    return text.join('').slice(0, MAX_TEXT).trim();
  }
  const isList = children.every(([name]) => name === LIST_ENTRY);
  return isList ? children.map(([, value]) => value) : membersFrom(children);
}

/** Returns the fields of an element. If several elements have the same name, their values become a list. */
function membersFrom(children: Element['children']): Members {
  const values = new Map<string, unknown[]>();
  for (const [name, value] of children) {
    const all = values.get(name) ?? [];
    all.push(value);
    values.set(name, all);
  }
  return new Members([...values].map(([name, all]) => [name, all.length === 1 ? all[0] : all]));
}
