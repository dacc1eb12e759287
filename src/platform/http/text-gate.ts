import { isUtf8 } from 'node:buffer';

import { MalformedBodyError, TooManyError } from '../common/common.errors.js';

const MAX_DEPTH = 10;
/**
 * The maximum number of values in a JSON text. It is enough for 5000 actions with ten parameters and fifty tags each.
 */
const MAX_VALUES = 300_000;
/**
 * The maximum number of objects and arrays in a JSON text. It is enough for 5000 actions with three objects or arrays
 * each.
 */
const MAX_CONTAINERS = 20_000;
/**
 * The maximum number of property names in a JSON text. It is enough for 5000 actions with twenty parameters each. The
 * parser needs ten times as long for a distinct name as for a value.
 */
const MAX_NAMES = 100_000;
/**
 * The maximum number of property names in one JSON object, three times more than any known request needs. V8 takes
 * quadratic time to add thousands of names to an object.
 */
export const MAX_NAMES_OF_OBJECT = 100;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Rejects bytes that are not UTF-8, and JSON with more levels, values or names than any call needs. The check runs
 * before any parser, because parsing a small malicious request could delay all clients for seconds
 * (docs/decisions/0008).
 *
 * @throws MalformedBodyError, TooManyError if the bytes are rejected
 */
export function refuseHostileBytes(bytes: Buffer): void {
  if (!isUtf8(bytes)) {
    throw new MalformedBodyError('The body is not valid UTF-8.');
  }
  const shape = new Shape();
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) {
      at = endOfString(bytes, at);
    } else if (byte >= COMMA) {
      shape.meet(byte);
    }
  }
}

/**
 * Counts the nesting levels, values and property names of a JSON text. Throws MalformedBodyError or TooManyError if
 * there are too many.
 */
class Shape {
  private depth = 0;
  private values = 1;
  private containers = 0;
  private names = 0;
  /** The number of names so far in the open object at each nesting level. */
  private readonly namesAt = new Uint32Array(MAX_DEPTH + 1);

  meet(byte: number): void {
    switch (byte) {
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        this.open();
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        this.depth = Math.max(0, this.depth - 1);
        break;
      case COMMA:
        this.values += 1;
        if (this.values > MAX_VALUES) {
          throw new MalformedBodyError(`The body has more than ${MAX_VALUES} values.`);
        }
        break;
      case COLON:
        this.name();
    }
  }

  private open(): void {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) {
      throw new MalformedBodyError(`The body is nested deeper than ${MAX_DEPTH} levels.`);
    }
    this.namesAt[this.depth] = 0;
    this.containers += 1;
    refuseAbove(MAX_CONTAINERS, this.containers, 'objects and arrays');
  }

  private name(): void {
    const names = (this.namesAt[this.depth] ?? 0) + 1;
    this.namesAt[this.depth] = names;
    this.names += 1;
    refuseAbove(MAX_NAMES_OF_OBJECT, names, 'names in one object');
    refuseAbove(MAX_NAMES, this.names, 'names');
  }
}

function refuseAbove(max: number, count: number, things: string): void {
  if (count > max) {
    throw new TooManyError(things, max);
  }
}

function endOfString(json: Buffer, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) {
    at += json[at] === BACKSLASH ? 2 : 1;
  }
  return at;
}

/**
 * Rejects values and names that PostgreSQL cannot store unchanged: U+0000 and lone surrogates.
 *
 * @throws MalformedBodyError if the text is rejected
 */
export function refuseHostileText(value: unknown): void {
  if (typeof value === 'string') {
    refuseText(value);
  } else if (Array.isArray(value)) {
    // `Object.entries` is not used, because it needs a thousand bytes of memory per array element of two bytes.
    value.forEach(refuseHostileText);
  } else if (typeof value === 'object' && value !== null) {
    for (const name of Object.keys(value)) {
      refuseText(name);
      refuseHostileText(Reflect.get(value, name));
    }
  }
}

function refuseText(text: string): void {
  if (text.includes('\u0000') || !text.isWellFormed()) {
    throw new MalformedBodyError('The body has text with U+0000 or a lone surrogate.');
  }
}
