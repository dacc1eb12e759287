import { isUtf8 } from 'node:buffer';

import { MalformedBodyError } from '../common.errors.js';

const MAX_DEPTH = 10;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/**
 * Refuses bytes that are no UTF-8, and JSON nested deeper than ten levels, before anything parses them:
 * validators recurse, and a deep body would end as a 500 (docs/decisions/0008).
 */
export function refuseHostileBytes(bytes: Buffer): void {
  if (!isUtf8(bytes)) {
    throw new MalformedBodyError('The body is not valid UTF-8.');
  }
  if (nesting(bytes) > MAX_DEPTH) {
    throw new MalformedBodyError(`The body is nested deeper than ${MAX_DEPTH} levels.`);
  }
}

function nesting(json: Buffer): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] ?? 0;
    if (byte === QUOTE) {
      at = endOfString(json, at);
    } else if (OPENING.has(byte)) {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (CLOSING.has(byte)) {
      depth -= 1;
    }
  }
  return deepest;
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
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      refuseText(name);
      refuseHostileText(member);
    }
  }
}

function refuseText(text: string): void {
  if (text.includes('\u0000') || !text.isWellFormed()) {
    throw new MalformedBodyError('The body has text with U+0000 or a lone surrogate.');
  }
}
