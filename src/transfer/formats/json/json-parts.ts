import { type Many, none } from 'stream-chain/defs.js';
import { jsonParser, type Token } from 'stream-json/core/parser.js';

import { Pace } from '../../../common/pace.js';
import { type JsonPart, JsonTooDeepError, JsonWalker } from './json-walker.js';

/** Why a document cannot be read to its end, in words for the person. */
export class JsonFault {
  constructor(readonly reason: string) {}
}

/** In pieces that end where an object may end: what is complete before a fault is heard before it. */
const PIECE = /[^}]*\}|[^}]+$/g;
const BREAKS_OFF = 'The JSON breaks off here: the file is not complete.';
const IS_WRONG = 'The JSON is wrong here: the rest of the file cannot be read.';
const IS_TOO_DEEP = 'The JSON is nested too deeply: the rest of the file cannot be read.';

/** The wanted parts of a document as they come, and at last its fault, if it has one. */
export async function* jsonParts(
  text: AsyncIterable<string>,
  isWanted: (path: string) => boolean,
): AsyncGenerator<readonly (JsonPart | JsonFault)[]> {
  const reader = new JsonReader(isWanted);
  const pace = new Pace();
  for await (const chunk of text) {
    const fault = reader.write(chunk);
    yield reader.takeParts();
    if (fault !== undefined) {
      yield [fault];
      return;
    }
    await pace.breathe();
  }
  const fault = reader.end();
  yield fault === undefined ? reader.takeParts() : [...reader.takeParts(), fault];
}

/** The paths that occur in the beginning of a document, whatever its faults are. */
export function pathsIn(text: string): ReadonlySet<string> {
  const paths = new Set<string>();
  new JsonReader((path) => {
    paths.add(path);
    return false;
  }).write(text);
  return paths;
}

class JsonReader {
  readonly #parse = jsonParser({ packValues: false });
  readonly #walker: JsonWalker;

  constructor(isWanted: (path: string) => boolean) {
    this.#walker = new JsonWalker(isWanted);
  }

  takeParts(): readonly JsonPart[] {
    return this.#walker.takeParts();
  }

  write(text: string): JsonFault | undefined {
    for (const [piece] of text.matchAll(PIECE)) {
      const fault = this.#hear(piece);
      if (fault !== undefined) {
        return fault;
      }
    }
    return undefined;
  }

  end(): JsonFault | undefined {
    return this.#walker.isAtRest() ? undefined : new JsonFault(BREAKS_OFF);
  }

  #hear(piece: string): JsonFault | undefined {
    try {
      for (const token of tokensOf(this.#parse(piece))) {
        this.#walker.hear(token);
      }
      return undefined;
    } catch (error) {
      return new JsonFault(error instanceof JsonTooDeepError ? IS_TOO_DEEP : IS_WRONG);
    }
  }
}

const tokensOf = (tokens: Many<Token> | typeof none): readonly Token[] =>
  tokens === none ? [] : tokens.values;
