import { isNode } from '../metadata/json-ld.js';

/** Matches the start of the data of a page in a script, such as `window.__INITIAL_STATE__ = {`. */
const ASSIGNED = /^[^{[]{0,200}?=\s*(?=[{[])/u;
/** Matches a part of the data that a React server streams to the browser, with its content as a JSON string. */
const STREAMED = /\b__next_f\.push\(\[\d,("(?:[^"\\]|\\.)*")\]\)/gu;
/** The maximum number of rows that are parsed. A parser needs much longer for a million broken rows than for a million good ones. */
const MOST_ROWS = 20_000;
/** Matches the start of a row in streamed data, such as `1a:`. */
const ROW = /^[\da-z]{1,6}:(?:T[\da-f]+,)?/u;

/** Returns the JSON values in the scripts of a page. Skips scripts without JSON. */
export function valuesIn(scripts: readonly string[]): unknown[] {
  const streamed = scripts.flatMap((script) =>
    [...script.matchAll(STREAMED)].map(([, literal = '']) => textIn(literal)),
  );
  return [...scripts.map(valueOf), ...streamed.join('').split('\n', MOST_ROWS).map(rowOf)].filter(
    (value) => isNode(value) || Array.isArray(value) || typeof value === 'string',
  );
}

const textIn = (literal: string): string => {
  const value = parsed(literal);
  return typeof value === 'string' ? value : '';
};

const valueOf = (script: string): unknown => {
  const bare = script.trim().replace(ASSIGNED, '').replace(/;$/u, '');
  return /^[{[]/u.test(bare) ? parsed(bare) : undefined;
};

/** Returns the value of a row of streamed data. A row that is not JSON is a text. */
const rowOf = (row: string): unknown => {
  const bare = row.replace(ROW, '');
  return bare === '' ? undefined : /^[{["]/u.test(bare) ? parsed(bare) : bare;
};

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
