import { isUtf8 } from 'node:buffer';

import { MalformedBodyError, TooManyError } from '../platform/common/common.errors.js';
import { MAX_NAMES_OF_OBJECT } from '../platform/http/text-gate.js';

/** A field of a form: its name and its value. */
export type Pair = readonly [name: string, value: string];

/** The maximum number of fields in a form. It is enough for a call with 5000 actions of four fields each. */
export const MAX_PAIRS = 20_000;

const PLUS = 0x2b;
const SPACE = 0x20;
const PERCENT = 0x25;
/**
 * Matches the characters that must be decoded. A text without them is used unchanged, which is
 * faster.
 */
const ENCODED = /[%+\x80-\xff]/;
const NOT_HEX = -1;
const HEX_DIGITS = Int8Array.from({ length: 256 }, (_, byte) => {
  const digit = String.fromCharCode(byte);
  return /[0-9a-f]/i.test(digit) ? parseInt(digit, 16) : NOT_HEX;
});

/**
 * Parses the fields of a form or of a query. `latin1` is the raw text, with one character per byte.
 * A `%` that is not followed by two hexadecimal digits stays unchanged.
 */
export function formPairs(latin1: string): readonly Pair[] {
  const fields = latin1.split('&', MAX_PAIRS + 1);
  if (fields.length > MAX_PAIRS) {
    throw new TooManyError('parameters', MAX_PAIRS);
  }
  return fields.filter((field) => field !== '').map(pairOf);
}

function pairOf(field: string): Pair {
  const equals = field.indexOf('=');
  return equals < 0
    ? [decoded(field), '']
    : [decoded(field.slice(0, equals)), decoded(field.slice(equals + 1))];
}

/**
 * Decodes the name or the value of a form field. Rejects bytes that are not UTF-8, because replacing them with U+FFFD
 * could make two different texts equal.
 */
function decoded(latin1: string): string {
  if (!ENCODED.test(latin1)) {
    return latin1;
  }
  const bytes = unescaped(Buffer.from(latin1, 'latin1'));
  if (!isUtf8(bytes)) {
    throw new MalformedBodyError('A parameter is not valid UTF-8.');
  }
  return bytes.toString();
}

/**
 * Decodes `+` and `%` escapes in place. With `String.replace` and a callback, a large body with
 * many escapes would take seconds.
 */
function unescaped(bytes: Buffer): Buffer {
  let end = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    const escaped = byte === PERCENT ? escapedByte(bytes, at) : NOT_HEX;
    if (escaped === NOT_HEX) {
      bytes[end] = byte === PLUS ? SPACE : (byte ?? 0);
    } else {
      bytes[end] = escaped;
      at += 2;
    }
    end += 1;
  }
  return bytes.subarray(0, end);
}

/**
 * Returns the byte that a `%` and the next two hexadecimal digits encode. Returns NOT_HEX if the
 * next two characters are not hexadecimal digits.
 */
function escapedByte(bytes: Buffer, percent: number): number {
  const high = HEX_DIGITS[bytes[percent + 1] ?? 0] ?? NOT_HEX;
  const low = HEX_DIGITS[bytes[percent + 2] ?? 0] ?? NOT_HEX;
  return high < 0 || low < 0 ? NOT_HEX : high * 16 + low;
}

const MAX_DEPTH = 5;
/**
 * The maximum number of objects and arrays in a form. It is enough for 5000 actions with three objects or arrays each.
 * JSON bodies have the same maximum (platform/http/text-gate.ts).
 */
const MAX_BRANCHES = 20_000;
/**
 * Matches a field name with brackets, such as `a[b][c]`. Matches at most five pairs of brackets,
 * because unlimited repetition could overflow the stack of the regular expression. The caller
 * rejects names with five or more pairs.
 */
const PLAIN_NAME_AND_BRACKETS = /^([^[\]]+)((?:\[[^[\]]*\]){1,5})/;
const INDEX = /^\d{1,15}$/;

type Tree = Map<string, string | Tree>;

/**
 * Builds the parameters of a request from the fields of a form. Fields such as `actions[0][action]=archive` become an
 * array of objects. If several fields have the same name, the last one wins, as in JSON.
 */
export function paramsOf(pairs: readonly Pair[]): Record<string, unknown> {
  const form = new Form();
  for (const [name, value] of pairs) {
    form.put(pathOf(name), value);
  }
  return objectOf(form.tree);
}

/**
 * Splits the name of a form field into its parts: `a[b][]` has the parts `a`, `b` and an empty name. A name with
 * unbalanced brackets is not split.
 */
function pathOf(name: string): readonly string[] {
  const [start, plainName, brackets] = PLAIN_NAME_AND_BRACKETS.exec(name) ?? [];
  if (start === undefined || plainName === undefined || brackets === undefined) {
    return [name];
  }
  const path = [plainName, ...brackets.slice(1, -1).split('][')];
  if (path.length > MAX_DEPTH) {
    throw new MalformedBodyError(`A parameter is nested deeper than ${MAX_DEPTH} levels.`);
  }
  return start === name ? path : [name];
}

class Form {
  readonly tree: Tree = new Map();
  private branches = 0;

  put(path: readonly string[], value: string): void {
    let branch = this.tree;
    for (const [depth, name] of path.entries()) {
      // An element without an index, as in `tags[]`, gets a high key, so that it comes last in its
      // array.
      const key = name === '' && depth > 0 ? String(MAX_PAIRS + branch.size) : name;
      if (depth === path.length - 1) {
        branch.set(key, value);
        return;
      }
      branch = this.branchAt(branch, key);
    }
  }

  private branchAt(tree: Tree, key: string): Tree {
    const found = tree.get(key);
    if (found instanceof Map) {
      return found;
    }
    this.branches += 1;
    if (this.branches > MAX_BRANCHES) {
      throw new TooManyError('objects and arrays', MAX_BRANCHES);
    }
    const branch: Tree = new Map();
    tree.set(key, branch);
    return branch;
  }
}

/**
 * Converts a node of the field tree to a parameter value: a text, an object or an array. An array has no gaps, so a
 * single `actions[7]` becomes an array with one element.
 */
function valueOf(node: string | Tree): unknown {
  if (typeof node === 'string') {
    return node;
  }
  const isArray = [...node.keys()].every((key) => INDEX.test(key));
  return isArray
    ? [...node].sort(([a], [b]) => Number(a) - Number(b)).map(([, child]) => valueOf(child))
    : objectOf(node);
}

function objectOf(tree: Tree): Record<string, unknown> {
  if (tree.size > MAX_NAMES_OF_OBJECT) {
    throw new TooManyError('names in one object', MAX_NAMES_OF_OBJECT);
  }
  return Object.fromEntries(Array.from(tree, ([name, node]) => [name, valueOf(node)]));
}
