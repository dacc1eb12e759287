import { type Many, none } from 'stream-chain/defs.js';
import { jsonParser, type Token } from 'stream-json/core/parser.js';

import { yieldToOthers } from '../../common/event-loop.js';
import { isBlank, Members } from './members.js';

/** Why a document cannot be read to its end, in words for the user. */
export class JsonError {
  constructor(readonly reason: string) {}
}

/** A part of a document: where it stands, with `[]` for what has a number or an id of digits, such as `list.[]`. */
export interface JsonPart {
  readonly path: string;
  /** Objects are `Members`. */
  readonly value: unknown;
  readonly isTooLarge: boolean;
}

type Container = unknown[] | Members;

interface Level {
  readonly path: string;
  readonly isArray: boolean;
  /** Where this level is part of what is kept. */
  readonly container: Container | undefined;
}

/** In pieces that end where an object may end: what is complete before an error is taken before it. */
const PIECE = /[^}]+\}?|\}/g;
/** Exports nest four levels; a deeper file is an attack. */
const MAX_DEPTH = 64;
/** Paths of interest are short; deeper ones are not spelt out. */
const MAX_PATH_DEPTH = 5;
/** So are their names; a long one would be copied for each value below it. */
const MAX_NAME = 100;
/** Longer values, such as the articles of some exports, are not needed and are dropped. */
const MAX_TEXT = 100_000;
/** In characters, an empty value counted as the memory that it takes. */
const MAX_PART_SIZE = 4_000_000;
const VALUE_SIZE = 16;
const CONTAINER_SIZE = 128;
const DIGITS = /^\d+$/;
const BREAKS_OFF = 'The JSON breaks off here: the file is not complete.';
const IS_WRONG = 'The JSON is wrong here: the rest of the file cannot be read.';
const IS_TOO_DEEP = 'The JSON is nested too deeply: the rest of the file cannot be read.';

/** Selects the parts of a document by their paths. */
export interface JsonSelection {
  isWanted(path: string): boolean;
  /** Called for each value that is not blank and not in a wanted part. */
  onOther?(path: string): void;
}

/** The wanted parts of a document as they come, and at last its error, if it has one. */
export async function* jsonParts(
  text: AsyncIterable<string>,
  selection: JsonSelection,
): AsyncGenerator<readonly (JsonPart | JsonError)[]> {
  const reader = new JsonReader(selection);
  for await (const chunk of text) {
    const error = reader.write(chunk);
    yield reader.takeParts();
    if (error !== undefined) {
      yield [error];
      return;
    }
    await yieldToOthers();
  }
  const error = reader.end();
  yield error === undefined ? reader.takeParts() : [...reader.takeParts(), error];
}

/** The paths that occur in the beginning of a document, whatever its errors are. */
export function pathsIn(text: string): ReadonlySet<string> {
  const paths = new Set<string>();
  const isWanted = (path: string): boolean => {
    paths.add(path);
    return false;
  };
  new JsonReader({ isWanted }).write(text);
  return paths;
}

class JsonReader {
  readonly #parse = jsonParser({ packValues: false });
  readonly #collector: JsonPartCollector;

  constructor(selection: JsonSelection) {
    this.#collector = new JsonPartCollector(selection);
  }

  takeParts(): readonly JsonPart[] {
    return this.#collector.takeParts();
  }

  write(text: string): JsonError | undefined {
    for (const [piece] of text.matchAll(PIECE)) {
      const error = this.#take(piece);
      if (error !== undefined) {
        return error;
      }
    }
    return undefined;
  }

  end(): JsonError | undefined {
    return this.#collector.isAtRest() ? undefined : new JsonError(BREAKS_OFF);
  }

  #take(piece: string): JsonError | undefined {
    try {
      for (const token of tokensOf(this.#parse(piece))) {
        this.#collector.take(token);
      }
      return undefined;
    } catch (error) {
      return new JsonError(error instanceof JsonTooDeepError ? IS_TOO_DEEP : IS_WRONG);
    }
  }
}

const tokensOf = (tokens: Many<Token> | typeof none): readonly Token[] =>
  tokens === none ? [] : tokens.values;

class JsonTooDeepError extends Error {}

/** Takes the tokens of a document, keeps the parts that are wanted and forgets the rest. */
class JsonPartCollector {
  readonly #levels: Level[] = [];
  #parts: JsonPart[] = [];
  #key = '';
  #text: string[] = [];
  #textLength = 0;
  #size = 0;

  constructor(private readonly selection: JsonSelection) {}

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

  take(token: Token): void {
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
        this.#takeChunk(token.value);
        break;
      default:
        this.#takeScalar(token);
    }
  }

  #takeScalar(token: Token): void {
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

  #takeChunk(text: string): void {
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
    const isKept = this.#levels.at(-1)?.container !== undefined || this.selection.isWanted(path);
    const container = isKept ? (isArray ? [] : new Members()) : undefined;
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
    if (isContainer || value === undefined) {
      return;
    }
    const path = this.#pathHere();
    if (this.selection.isWanted(path)) {
      this.#parts.push({ path, value, isTooLarge: false });
    } else if (!isBlank(value)) {
      this.selection.onOther?.(path);
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
