import { isUtf8 } from 'node:buffer';

import { MalformedBodyError } from '../../common/common.errors.js';
import { TooManyError } from './request.errors.js';

/** A field of a form: its name and its value. */
export type Pair = readonly [name: string, value: string];

/** Five thousand actions of four members each. */
export const MAX_PAIRS = 20_000;

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
  const bytes = Buffer.from(
    latin1
      .replaceAll('+', ' ')
      .replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  );
  if (!isUtf8(bytes)) {
    throw new MalformedBodyError('A member is not valid UTF-8.');
  }
  return bytes.toString();
}
