import type { Response } from 'supertest';

import {
  type DomElement,
  type DomNode,
  isElement,
  isText,
  parseDocument,
} from '../../src/lib/extraction/dom.js';

/** Attributes whose values browsers show or read aloud. */
const SHOWN = ['alt', 'aria-label', 'placeholder', 'title'];
/** Elements whose content is not a message: code, dates, time zones, and languages in their own language. */
const OTHER = 'script, style, svg, code, kbd, time, option[lang], #zone option, #format option';
const LETTERS = /\p{L}{2,}/u;

/** Returns the parts of a text that are outside of brackets. Messages can contain other messages in brackets. */
function outside(text: string, start = 0): { readonly parts: string[]; readonly depth: number } {
  const parts = [''];
  let depth = start;
  for (const character of text) {
    depth += character === '[' ? 1 : 0;
    if (depth === 0) {
      parts.push(`${parts.pop() ?? ''}${character}`);
    } else if (character === ']') {
      depth -= 1;
      parts.push('');
    }
  }
  return { parts, depth };
}

/** Returns the visible texts of a page in the pseudo-language that are not messages, except the texts in `data`. */
export function untranslatedIn(page: Response, data: readonly string[]): string[] {
  const found: string[] = [];
  let depth = 0;
  const report = (parts: readonly string[]): void => {
    const known = data.toSorted((one, other) => other.length - one.length);
    const rest = parts.map((part) =>
      known.reduce((left, text) => left.replaceAll(text, ''), part).trim(),
    );
    found.push(...rest.filter((part) => LETTERS.test(part)));
  };
  const visit = (node: DomNode): void => {
    if (isText(node)) {
      const result = outside(node.textContent ?? '', depth);
      ({ depth } = result);
      report(result.parts);
    } else if (isElement(node) && node.closest(OTHER) === null) {
      report(attributesOf(node).flatMap((text) => outside(text).parts));
      for (let child = node.firstChild; child !== null; child = child.nextSibling) {
        visit(child);
      }
    }
  };
  const { body, title } = parseDocument(page.text);
  report(outside(title).parts);
  visit(body);
  return depth === 0 ? found : [...found, `${depth} texts have no end`];
}

const attributesOf = (element: DomElement): string[] =>
  SHOWN.flatMap((name) => element.getAttribute(name) ?? []);
