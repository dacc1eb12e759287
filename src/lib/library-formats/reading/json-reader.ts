import { type Many, none } from 'stream-chain/defs.js';
import { jsonParser, type Token } from 'stream-json/core/parser.js';

import { yieldToOthers } from '../../util/event-loop.js';

/** The reason why the rest of a JSON document cannot be read, as a text for the user. */
export class JsonError {
  constructor(readonly reason: string) {}
}

/**
 * Collects values of a JSON document. The reader calls a method for each token of the document. The reader cuts texts
 * after 100,000 characters.
 */
export interface JsonCollector<Part> {
  /** The maximum depth of lists and objects in the document. */
  readonly maxDepth: number;
  onOpen(isArray: boolean): void;
  onClose(): void;
  onKey(name: string): void;
  onValue(value: string | number | boolean | null): void;
  /** Returns the values that were completed since the last call of this method. */
  takeParts(): readonly Part[];
}

/**
 * Matches text up to and including the next `}`. The document is parsed in such small pieces,
 * because the parser returns nothing from a piece with a syntax error.
 */
const PIECE = /[^}]+\}?|\}/g;
/**
 * The maximum length of a text in a JSON document. Longer texts are cut, because the import does not need such texts.
 * For example, some exports contain whole articles.
 */
const MAX_TEXT = 100_000;
const BREAKS_OFF = 'The JSON breaks off here: the file is not complete.';
const IS_WRONG = 'The JSON is wrong here: the rest of the file cannot be read.';
const IS_TOO_DEEP = 'The JSON is nested too deeply: the rest of the file cannot be read.';

/**
 * Yields the values that a collector returns for a JSON document. If the document has a syntax error, yields the error
 * after the last value.
 */
export async function* collectedParts<Part>(
  text: AsyncIterable<string>,
  collector: JsonCollector<Part>,
): AsyncGenerator<readonly (Part | JsonError)[]> {
  const reader = new JsonReader(collector);
  for await (const chunk of text) {
    const error = reader.write(chunk);
    yield collector.takeParts();
    if (error !== undefined) {
      yield [error];
      return;
    }
    await yieldToOthers();
  }
  const error = reader.end();
  yield error === undefined ? collector.takeParts() : [...collector.takeParts(), error];
}

class JsonTooDeepError extends Error {}

/** Parses a JSON document in chunks. A chunk can begin and end at any character. */
export class JsonReader {
  readonly #parse = jsonParser({ packValues: false });
  #depth = 0;
  #text: string[] = [];
  #textLength = 0;

  constructor(private readonly collector: JsonCollector<unknown>) {}

  /**
   * Parses the next chunk of the document. Returns the first syntax error. After an error, the rest of the document
   * cannot be read.
   */
  write(text: string): JsonError | undefined {
    for (const [piece] of text.matchAll(PIECE)) {
      const error = this.#writePiece(piece);
      if (error !== undefined) {
        return error;
      }
    }
    return undefined;
  }

  end(): JsonError | undefined {
    return this.#depth === 0 ? undefined : new JsonError(BREAKS_OFF);
  }

  #writePiece(piece: string): JsonError | undefined {
    try {
      for (const token of tokensOf(this.#parse(piece))) {
        this.#onToken(token);
      }
      return undefined;
    } catch (error) {
      return new JsonError(error instanceof JsonTooDeepError ? IS_TOO_DEEP : IS_WRONG);
    }
  }

  #onToken(token: Token): void {
    switch (token.name) {
      case 'startObject':
      case 'startArray':
        this.#onOpen(token.name === 'startArray');
        break;
      case 'endObject':
      case 'endArray':
        this.#depth -= 1;
        this.collector.onClose();
        break;
      case 'stringChunk':
      case 'numberChunk':
        this.#onChunk(token.value);
        break;
      default:
        this.#onScalar(token);
    }
  }

  #onOpen(isArray: boolean): void {
    if (this.#depth >= this.collector.maxDepth) {
      throw new JsonTooDeepError();
    }
    this.#depth += 1;
    this.collector.onOpen(isArray);
  }

  #onScalar(token: Token): void {
    switch (token.name) {
      case 'endKey':
        this.collector.onKey(this.#takeText());
        break;
      case 'endString':
        this.collector.onValue(this.#takeText());
        break;
      case 'endNumber':
        this.collector.onValue(Number(this.#takeText()));
        break;
      case 'nullValue':
      case 'trueValue':
      case 'falseValue':
        this.collector.onValue(token.value);
        break;
    }
  }

  #onChunk(text: string): void {
    const kept = text.slice(0, MAX_TEXT - this.#textLength);
    if (kept !== '') {
      this.#text.push(kept);
      this.#textLength += kept.length;
    }
  }

  #takeText(): string {
    const text = this.#text.join('');
    this.#text = [];
    this.#textLength = 0;
    return text;
  }
}

const tokensOf = (tokens: Many<Token> | typeof none): readonly Token[] =>
  tokens === none ? [] : tokens.values;
