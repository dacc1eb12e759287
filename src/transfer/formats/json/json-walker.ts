import type { Token } from 'stream-json/core/parser.js';

/** A part of a document: where it stands, with `[]` for what has a number or an id of digits, such as `list.[]`. */
export interface JsonPart {
  readonly path: string;
  /** Objects are maps: no name of a member is special. */
  readonly value: unknown;
  readonly isTooLarge: boolean;
}

type Container = unknown[] | Map<string, unknown>;

interface Level {
  readonly path: string;
  readonly isArray: boolean;
  /** Where this level is part of what is kept. */
  readonly container: Container | undefined;
}

/** Exports nest four levels; beyond this a file wants to harm. */
const MAX_DEPTH = 64;
/** Paths of interest are short; deeper ones are not spelt out. */
const MAX_PATH_DEPTH = 5;
/** So are their names; a long one would be copied for each value below it. */
const MAX_NAME = 100;
/** Some exports hold articles, which may be longer; nothing that is kept is. */
const MAX_TEXT = 100_000;
/** In characters, an empty value counted as the memory that it takes. */
const MAX_PART_SIZE = 4_000_000;
const VALUE_SIZE = 16;
const CONTAINER_SIZE = 128;
const DIGITS = /^\d+$/;

export class JsonTooDeepError extends Error {}

/** Hears the tokens of a document, keeps the parts that are wanted and forgets the rest. */
export class JsonWalker {
  readonly #levels: Level[] = [];
  #parts: JsonPart[] = [];
  #key = '';
  #text: string[] = [];
  #textLength = 0;
  #size = 0;

  constructor(private readonly isWanted: (path: string) => boolean) {}

  /** The parts that were complete with the last tokens. */
  takeParts(): readonly JsonPart[] {
    const parts = this.#parts;
    this.#parts = [];
    return parts;
  }

  /** Whether everything that was opened was closed. */
  isAtRest(): boolean {
    return this.#levels.length === 0;
  }

  hear(token: Token): void {
    switch (token.name) {
      case 'startObject':
      case 'startArray':
        this.#open(token.name === 'startArray');
        break;
      case 'endObject':
      case 'endArray':
        this.#close();
        break;
      case 'stringChunk':
      case 'numberChunk':
        this.#hearText(token.value);
        break;
      default:
        this.#hearScalar(token);
    }
  }

  #hearScalar(token: Token): void {
    switch (token.name) {
      case 'endKey':
        this.#key = this.#takeText();
        break;
      case 'endString':
        this.#place(this.#takeText());
        break;
      case 'endNumber':
        this.#place(Number(this.#takeText()));
        break;
      case 'nullValue':
      case 'trueValue':
      case 'falseValue':
        this.#place(token.value);
        break;
    }
  }

  #hearText(text: string): void {
    const kept = text.slice(0, MAX_TEXT - this.#textLength);
    this.#text.push(kept);
    this.#textLength += kept.length;
    this.#size += kept.length;
  }

  #takeText(): string {
    const text = this.#text.join('');
    this.#text = [];
    this.#textLength = 0;
    return text;
  }

  #open(isArray: boolean): void {
    if (this.#levels.length >= MAX_DEPTH) {
      throw new JsonTooDeepError();
    }
    const path = this.#pathHere();
    const isKept = this.#levels.at(-1)?.container !== undefined || this.isWanted(path);
    const container = isKept ? (isArray ? [] : new Map<string, unknown>()) : undefined;
    if (this.#levels.at(-1)?.container === undefined) {
      this.#size = 0;
    }
    this.#place(container, isKept);
    this.#levels.push({ path, isArray, container });
  }

  #close(): void {
    const { path, container } = this.#levels.pop() ?? {};
    const isInKept = this.#levels.at(-1)?.container !== undefined;
    if (path !== undefined && container !== undefined && !isInKept) {
      const isTooLarge = this.#size > MAX_PART_SIZE;
      this.#parts.push({ path, value: container, isTooLarge });
    }
  }

  /** Puts a value into what is kept; a wanted scalar is a part by itself. */
  #place(value: unknown, isContainer = false): void {
    this.#size += isContainer ? CONTAINER_SIZE : VALUE_SIZE;
    const container = this.#levels.at(-1)?.container;
    if (container === undefined) {
      this.#placeAlone(value, isContainer);
    } else if (this.#size <= MAX_PART_SIZE) {
      if (Array.isArray(container)) {
        container.push(value);
      } else {
        container.set(this.#key, value);
      }
    }
  }

  #placeAlone(value: unknown, isContainer: boolean): void {
    const path = this.#pathHere();
    if (!isContainer && value !== undefined && this.isWanted(path)) {
      this.#parts.push({ path, value, isTooLarge: false });
    }
  }

  #pathHere(): string {
    const level = this.#levels.at(-1);
    if (level === undefined) {
      return '';
    }
    const key = this.#key.slice(0, MAX_NAME);
    const name = level.isArray || DIGITS.test(key) ? '[]' : key;
    const isSpelt = this.#levels.length <= MAX_PATH_DEPTH;
    return isSpelt ? `${level.path}${level.path === '' ? '' : '.'}${name}` : '…';
  }
}
