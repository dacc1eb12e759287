import { isUtf8 } from 'node:buffer';

import { MalformedBodyError } from '../common.errors.js';

const MAX_DEPTH = 10;
/** Five thousand actions, each with ten members and fifty tags. */
const MAX_VALUES = 300_000;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/**
 * Refuses bytes that are no UTF-8, and JSON that is nested deeper than ten levels or has more values than any call,
 * before anything parses them: validators recurse, and a deep body would end as a 500; eight megabytes of `{},` would
 * keep everybody waiting for seconds (docs/decisions/0008).
 */
export function refuseHostileBytes(bytes: Buffer): void {
  if (!isUtf8(bytes)) {
    throw new MalformedBodyError('The body is not valid UTF-8.');
  }
  const { deepest, values } = shapeOf(bytes);
  if (deepest > MAX_DEPTH) {
    throw new MalformedBodyError(`The body is nested deeper than ${MAX_DEPTH} levels.`);
  }
  if (values > MAX_VALUES) {
    throw new MalformedBodyError(`The body has more than ${MAX_VALUES} values.`);
  }
}

interface Shape {
  readonly deepest: number;
  readonly values: number;
}

function shapeOf(json: Buffer): Shape {
  let depth = 0;
  let deepest = 0;
  let values = 1;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] ?? 0;
    if (byte === QUOTE) {
      at = endOfString(json, at);
    } else if (OPENING.has(byte)) {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (CLOSING.has(byte)) {
      depth -= 1;
    } else if (byte === COMMA) {
      values += 1;
    }
  }
  return { deepest, values };
}

function endOfString(json: Buffer, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) {
    at += json[at] === BACKSLASH ? 2 : 1;
  }
  return at;
}

/** Refuses text that PostgreSQL cannot keep as it is: U+0000 and lone surrogates, in members and their names. */
export function refuseHostileText(value: unknown): void {
  if (typeof value === 'string') {
    refuseText(value);
  } else if (Array.isArray(value)) {
    // Not its entries: they would be a thousand bytes for each element that cost the sender two.
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
