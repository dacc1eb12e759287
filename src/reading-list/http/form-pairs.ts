import { isUtf8 } from 'node:buffer';

import { MalformedBodyError, TooManyError } from '../../common/common.errors.js';

/** A field of a form: its name and its value. */
export type Pair = readonly [name: string, value: string];

/** Five thousand actions of four members each. */
export const MAX_PAIRS = 20_000;

const PLUS = 0x2b;
const SPACE = 0x20;
const PERCENT = 0x25;
/** What stands for something else: most names and many values have none of it. */
const ENCODED = /[%+\x80-\xff]/;
const NONE = -1;
const HEX_DIGITS = Int8Array.from({ length: 256 }, (_, byte) => {
  const digit = String.fromCharCode(byte);
  return /[0-9a-f]/i.test(digit) ? parseInt(digit, 16) : NONE;
});

/** The fields of a form or a query, given byte for byte as Latin-1. A stray `%` is a character like any other. */
export function formPairs(latin1: string): readonly Pair[] {
  const fields = latin1.split('&', MAX_PAIRS + 1);
  if (fields.length > MAX_PAIRS) {
    throw new TooManyError('members', MAX_PAIRS);
  }
  return fields.filter((field) => field !== '').map(pairOf);
}

function pairOf(field: string): Pair {
  const equals = field.indexOf('=');
  return equals < 0
    ? [decoded(field), '']
    : [decoded(field.slice(0, equals)), decoded(field.slice(equals + 1))];
}

/** Decoders of the platform turn bytes that are no UTF-8 into U+FFFD, so that two different texts become one. */
function decoded(latin1: string): string {
  if (!ENCODED.test(latin1)) {
    return latin1;
  }
  const bytes = unescaped(Buffer.from(latin1, 'latin1'));
  if (!isUtf8(bytes)) {
    throw new MalformedBodyError('A member is not valid UTF-8.');
  }
  return bytes.toString();
}

/** In place and byte by byte: a call of a function for each `%` of a large body would take seconds. */
function unescaped(bytes: Buffer): Buffer {
  let end = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    const escaped = byte === PERCENT ? escapedByte(bytes, at) : NONE;
    if (escaped === NONE) {
      bytes[end] = byte === PLUS ? SPACE : (byte ?? 0);
    } else {
      bytes[end] = escaped;
      at += 2;
    }
    end += 1;
  }
  return bytes.subarray(0, end);
}

/** What the two digits behind a `%` say; NONE where they are none. */
function escapedByte(bytes: Buffer, percent: number): number {
  const high = HEX_DIGITS[bytes[percent + 1] ?? 0] ?? NONE;
  const low = HEX_DIGITS[bytes[percent + 2] ?? 0] ?? NONE;
  return high < 0 || low < 0 ? NONE : high * 16 + low;
}
