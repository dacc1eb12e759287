import { textOf } from './read-value.js';

/** A quoted name, as JSON and Python write it. */
const QUOTED = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/g;
const ESCAPE = /\\(.)/g;

/** The tags of one field: `["a","b"]`, `['a', 'b']`, or names with commas between them. */
export function tagList(text: string): readonly string[] {
  const trimmed = text.trim();
  if (!trimmed.startsWith('[')) {
    return trimmed.split(',');
  }
  return fromJson(trimmed) ?? fromQuotes(trimmed);
}

function fromJson(text: string): readonly string[] | undefined {
  try {
    const names: unknown = JSON.parse(text);
    return Array.isArray(names) ? names.map(textOf) : undefined;
  } catch {
    return undefined;
  }
}

const fromQuotes = (text: string): readonly string[] =>
  [...text.matchAll(QUOTED)].map(([, double, single]) =>
    (double ?? single ?? '').replaceAll(ESCAPE, '$1'),
  );
