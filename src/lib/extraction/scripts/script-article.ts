import { escapeUTF8 } from 'entities';

import { isNode, type LdNode } from '../metadata/json-ld.js';
import { valuesIn } from './script-values.js';

const MAX_VALUES = 50_000;
const MAX_DEPTH = 40;
/** The minimum number of characters of a paragraph. Shorter texts in scripts are labels. */
const SHORTEST = 60;
const MOST_CHARACTERS = 300_000;

/** A text in the data of a script: HTML or a plain paragraph. */
interface Found {
  readonly html: string;
  /** The path of keys to the object or list around the text. */
  readonly path: readonly number[];
}

/**
 * Returns the article in the data of a page as HTML, or undefined if the data contains no prose. Some pages contain
 * their article only in JSON-LD or in the data of a script, which creates the text in the browser.
 */
export function scriptArticle(
  linked: readonly LdNode[],
  scripts: readonly string[],
): string | undefined {
  const body = linked.map(({ articleBody, text }) => articleBody ?? text).find(isLong);
  if (typeof body === 'string') {
    return wrapped([htmlOf(body)]);
  }
  const reader = new ProseReader();
  valuesIn(scripts).forEach((value) => {
    reader.read(value, '', []);
  });
  const all = reader.found;
  return all.length === 0 ? undefined : wrapped(densest(all).map(({ html }) => html));
}

const isLong = (value: unknown): boolean => typeof value === 'string' && value.length >= SHORTEST;

export const wrapped = (parts: readonly string[]): string =>
  `<html><body><main><article>${parts.join('').slice(0, MOST_CHARACTERS)}</article></main></body></html>`;

const TAGS = /<(?:p|div|br|h[1-6]|ul|ol|blockquote)\b/iu;

export const htmlOf = (text: string): string =>
  TAGS.test(text)
    ? text
    : text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => `<p>${escapeUTF8(line)}</p>`)
        .join('');

/** Keys whose texts are not part of an article. */
const NO_TEXT =
  /url|href|src|link|class|style|css|svg|script|token|query|schema|locale|message|label|tooltip|placeholder|description|excerpt|summary|caption|alt|seo|meta|bio|copyright|cookie|consent/iu;
/** Matches a sentence, which distinguishes prose from code and identifiers. */
const WORDS = /\p{L}{2} \p{Ll}/u;
const SENTENCE_END = /[.!?…]["'”’)]?(?:$|\s|<)/u;
const WIDE_SENTENCE = /[。！？]/u;
const INLINE: ReadonlySet<string> = new Set(['children', 'content', 'nodes', 'spans', 'parts']);

/** Collects the prose in JSON values in the order of the values. */
class ProseReader {
  readonly found: Found[] = [];
  #values = 0;

  read(value: unknown, key: string, path: readonly number[]): void {
    this.#values += 1;
    if (this.#values > MAX_VALUES || path.length > MAX_DEPTH) {
      return;
    }
    if (typeof value === 'string') {
      this.#take(value, key, path);
    } else if (Array.isArray(value)) {
      this.#list(value, key, path);
    } else if (isNode(value)) {
      const at = [...path, this.#values];
      Object.entries(value).forEach(([name, one]) => {
        this.read(one, name, at);
      });
    }
  }

  #list(values: readonly unknown[], key: string, path: readonly number[]): void {
    const line = INLINE.has(key) ? lineIn(values) : undefined;
    const at = [...path, this.#values];
    if (line === undefined) {
      values.forEach((one) => {
        this.read(one, key, at);
      });
    } else {
      this.#take(line, '', path);
    }
  }

  #take(text: string, key: string, path: readonly number[]): void {
    if (text.length >= SHORTEST && !NO_TEXT.test(key) && isProse(text)) {
      this.found.push({ html: htmlOf(text), path });
    }
  }
}

const isProse = (text: string): boolean =>
  (WORDS.test(text) && SENTENCE_END.test(text)) || WIDE_SENTENCE.test(text);

/** Returns the text of a paragraph that is stored as a list of its parts, such as words in bold type. */
function lineIn(values: readonly unknown[]): string | undefined {
  const texts = values.map((one) => (isNode(one) ? (one['text'] ?? one['value']) : one));
  const parts = texts.filter((text) => typeof text === 'string');
  return parts.length === values.length && parts.length > 0 ? parts.join('') : undefined;
}

const SHARE = 0.6;

/** Returns the texts in the innermost object that contains most of the prose. Other objects contain teasers. */
function densest(all: readonly Found[]): readonly Found[] {
  let chosen = all;
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const best = longestGroup(chosen, depth);
    if (lengthOf(best) < SHARE * lengthOf(all)) {
      return chosen;
    }
    chosen = best;
  }
  return chosen;
}

const lengthOf = (found: readonly Found[]): number =>
  found.reduce((sum, { html }) => sum + html.length, 0);

/** Returns the texts of the object with the most prose among the objects at a depth. */
function longestGroup(found: readonly Found[], depth: number): readonly Found[] {
  const groups = new Map<number, Found[]>();
  for (const one of found) {
    const at = one.path[depth] ?? 0;
    const group = groups.get(at) ?? [];
    group.push(one);
    groups.set(at, group);
  }
  const measured = [...groups.values()].map((group) => ({ group, length: lengthOf(group) }));
  const longest = measured.reduce((most, { length }) => Math.max(most, length), 0);
  return measured.find(({ length }) => length === longest)?.group ?? [];
}
