import { textOf } from './read-value.js';

/** A quoted name, as JSON and Python write it; one that is never closed ends with the field, so that each is read once. */
const QUOTED = /"((?:[^"\\]|\\.?)*)(?:"|$)|'((?:[^'\\]|\\.?)*)(?:'|$)/gs;
const ESCAPE = /\\(.)/gs;

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
