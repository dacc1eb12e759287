import type { Handler } from 'htmlparser2';

import { Members } from './members.js';

/** An element of an XML document that becomes a row, with its attributes and children as fields. */
interface XmlRecord {
  readonly members: Members;
  readonly isTooLarge: boolean;
}

interface Element {
  readonly name: string;
  readonly children: (readonly [string, unknown])[];
  readonly text: string[];
}

/** The maximum depth of an XML document. Exports have a depth of four. */
const MAX_DEPTH = 64;
/**
 * The maximum length of a text in an XML document. Longer texts are cut, because the import does not need them. For
 * example, some exports contain articles.
 */
const MAX_TEXT = 100_000;
/**
 * The maximum size of a row's element in characters. Each child element counts as `ELEMENT_SIZE` additional characters.
 */
const MAX_RECORD_SIZE = 4_000_000;
const ELEMENT_SIZE = 128;
/**
 * The maximum number of characters that may arrive without a complete tag or text. After more characters, a tag,
 * comment or CDATA section is never closed.
 */
const MAX_PENDING = 8_000_000;
/** The name of list entries. An element whose children all have this name becomes a list. */
const LIST_ENTRY = 'entry';

/** Receives the events of an XML parser, collects the elements at one path, and drops everything else. */
export class XmlRecords implements Partial<Handler> {
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

  /** Adds to the number of characters that the parser has received without completing a tag or text. */
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
 * Returns the value of an element: a text, a list if its children are entries, or an object with its children as
 * fields.
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
