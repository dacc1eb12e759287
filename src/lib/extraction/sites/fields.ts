import { attribute, type DomElement, isElement, isText, squeezed, startOf } from '../dom.js';
import { type HeadFacts, metaOf } from '../markup/head-reader.js';
import type { Clues } from '../metadata/clues.js';
import type { FieldSource, Spot } from './site-rule.js';

/**
 * The maximum length in characters of a value that a site rule reads. Real values are shorter, even descriptions of
 * videos.
 */
const LONGEST = 10_000;
/**
 * The maximum length of a JSON string that is read from a script. The string can be six times as long as its value,
 * because JSON can escape one character as six characters.
 */
const LONGEST_WRITTEN = 6 * LONGEST;

/** The value of a field that a site rule reads. `text` and `href` are empty if the page does not contain the field. */
interface Field {
  readonly text: string;
  /** The address to which the field links. Empty if the field is not a link. */
  readonly href: string;
}

const NO_FIELD: Field = { text: '', href: '' };

/**
 * Returns the value of a field. Tries the sources of the field in the order of the site rule, and uses the first source
 * that has a value.
 */
export function fieldOf(
  sources: readonly FieldSource[] = [],
  body: DomElement,
  clues: Clues,
): Field {
  for (const source of sources) {
    const { text, href } = fieldIn(source, body, clues);
    const found = within(text, source.pattern);
    if (found !== '') {
      return { text: found, href };
    }
  }
  return NO_FIELD;
}

const within = (text: string, pattern: RegExp | undefined): string =>
  (pattern ? (pattern.exec(text)?.[1] ?? '') : text).trim();

function fieldIn(source: FieldSource, body: DomElement, { facts, url }: Clues): Field {
  if ('at' in source) {
    const { selector, name } = spotOf(source.at);
    const element = body.querySelector(selector);
    return element ? { text: valueOf(element, name), href: attribute(element, 'href') } : NO_FIELD;
  }
  return { text: textOf(source, facts, url), href: '' };
}

function textOf(
  source: Exclude<FieldSource, { readonly at: Spot }>,
  facts: HeadFacts,
  { pathname }: URL,
): string {
  if ('meta' in source) {
    return metaOf(facts, [source.meta]).slice(0, LONGEST);
  }
  return 'data' in source
    ? stringIn(facts.pageData, source.data)
    : (source.path.exec(pathname)?.[1] ?? '');
}

/**
 * Splits a text such as `selector @name` into the selector and the name of the attribute. The name is empty if the
 * value is the text of the selected element.
 */
export function spotOf(spot: Spot): { readonly selector: string; readonly name: string } {
  const [selector = '', name = ''] = spot.split(' @');
  return { selector, name };
}

/**
 * Returns the value of an attribute, or the element's text on one line if `name` is empty. Limits
 * the length of the result, because a selector may match a large element by mistake.
 */
export const valueOf = (element: DomElement, name: string): string =>
  squeezed(name === '' ? startOf(element, LONGEST) : attribute(element, name)).slice(0, LONGEST);

/** Returns true if an element has visible content outside the elements in `removed`. */
export function isFilled(element: DomElement, removed: ReadonlySet<DomElement>): boolean {
  for (let node = element.firstChild; node; node = node.nextSibling) {
    if (
      isElement(node) ? isSeen(node, removed) : isText(node) && /\S/u.test(node.textContent ?? '')
    ) {
      return true;
    }
  }
  return false;
}

const isSeen = (element: DomElement, removed: ReadonlySet<DomElement>): boolean =>
  !removed.has(element) && (element.localName === 'img' || isFilled(element, removed));

/**
 * Returns the text for the key `name` in the scripts of a page. Parses only this text instead of the whole scripts,
 * because a script can have several megabytes.
 */
function stringIn(scripts: readonly string[], name: string): string {
  const key = `"${name}":"`;
  for (const script of scripts) {
    const at = script.indexOf(key);
    const found = at < 0 ? '' : unescaped(literalAt(script, at + key.length));
    if (found !== '') {
      return found;
    }
  }
  return '';
}

/**
 * Returns the JSON string at an offset in a script, up to its closing quote. Returns an empty text if the string is too
 * long.
 */
function literalAt(script: string, start: number): string {
  const end = Math.min(script.length, start + LONGEST_WRITTEN);
  for (let at = start; at < end; at += script[at] === '\\' ? 2 : 1) {
    if (script[at] === '"') {
      return script.slice(start, at);
    }
  }
  return '';
}

/** The maximum distance between the key of an object in a script and the text in the object. */
const MOST_BETWEEN = 1_000;

/** Returns the first text of each object with the key `name` in a script, at most `most` texts. */
export function textsIn(script: string, name: string, most: number): string[] {
  const texts: string[] = [];
  const key = `"${name}":`;
  for (let at = script.indexOf(key); at >= 0 && texts.length < most; at = script.indexOf(key, at)) {
    at += key.length;
    const found = /"(?:text|simpleText)":"/u.exec(script.slice(at, at + MOST_BETWEEN));
    if (found) {
      texts.push(unescaped(literalAt(script, at + found.index + found[0].length)));
    }
  }
  return texts;
}

function unescaped(literal: string): string {
  try {
    return String(JSON.parse(`"${literal}"`)).slice(0, LONGEST);
  } catch {
    return '';
  }
}
