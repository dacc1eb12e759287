import { decodeHTMLAttribute } from 'entities';

import { parsedUrl } from '../../util/parsed-url.js';
import type { RawAttributes } from '../markup/head-reader.js';

/** Elements that contain a formula as MathML or as a drawing, or whose text is TeX. */
const FORMULA_TAGS: ReadonlySet<string> = new Set([
  ...['math', 'mjx-container', 'd-math', 'dt-math', 'tex-math'],
]);
/** Matches the classes of elements that contain a formula several times: as MathML, and as a drawing or a picture. */
const FORMULA = /(?:^|\s)(?:katex|mwe-math-element)(?:$|\s)/u;
/** Elements into which scripts draw a formula. The TeX is in an attribute. */
const DRAWN_INTO: ReadonlySet<string> = new Set(['span', 'div', 'amp-mathml', 'svg', 'mathjax']);

/** Returns true if the tag opens an element that consists of one formula. */
export const opensFormula = (name: string, attributes: RawAttributes): boolean =>
  FORMULA_TAGS.has(name) ||
  (name === 'span' && FORMULA.test(attributes.get('class') ?? '')) ||
  (DRAWN_INTO.has(name) && statedTex((key) => attributes.get(key) ?? '') !== '');

/** Attributes that contain only TeX, and attributes that contain TeX on some sites. */
const TEX_ATTRIBUTES = ['data-tex', 'data-latex', 'data-katex'];
const DOUBTFUL_ATTRIBUTES = ['data-formula', 'data-equation', 'data-expr'];
/** Matches TeX. Does not match the formula of a spreadsheet, such as `=SUM(A1:B2)`. */
const LOOKS_LIKE_TEX = /^(?!=).*[\\^_]/su;

/** Returns the TeX of a formula that its tag states as an attribute. Returns an empty text for any other tag. */
export function statedTex(read: (attribute: string) => string): string {
  const tex =
    TEX_ATTRIBUTES.map(read).find((one) => one !== '') ??
    DOUBTFUL_ATTRIBUTES.map(read).find((one) => LOOKS_LIKE_TEX.test(one));
  return withoutDelimiters(decodeHTMLAttribute(tex ?? ''));
}

/**
 * Matches the classes of pictures of formulas. Programs that draw formulas as pictures write the TeX to the alternative
 * text.
 */
const DRAWN_FORMULA =
  /(?:^|\s)(?:mwe-math-fallback-image-(?:inline|display)|(?:ql-img-\w+-)?(?:tex|latex|math|equation|formula|mathtex|ztext-math)(?:-\w+){0,2})(?:$|\s)/u;
/**
 * Matches the addresses of services that draw the TeX in their address as a picture. The TeX is in the parameter
 * `latex`, `tex` or `math`, or is the whole query.
 */
const DRAWING_SERVICE =
  /\/(?:latex\.php|equation|render\/math|(?:gif|png|svg)\.(?:image|latex)|mathtex\.cgi|mimetex\.cgi)\?/u;

/** Returns the TeX of a formula that a picture shows. Returns an empty text for any other picture. */
export const picturedTex = (attributes: RawAttributes): string =>
  statedTex((key) => attributes.get(key) ?? '') || drawnFormula(attributes);

function drawnFormula(attributes: RawAttributes): string {
  const read = (key: string): string => decodeHTMLAttribute(attributes.get(key) ?? '').trim();
  const [alt, src] = [read('alt'), read('src')];
  const isService = DRAWING_SERVICE.test(src.slice(0, LONGEST_PATH));
  return alt !== '' && (isService || DRAWN_FORMULA.test(read('class')))
    ? withoutDelimiters(alt)
    : isService
      ? texInAddress(src)
      : '';
}

const LONGEST_PATH = 200;

function texInAddress(src: string): string {
  const query = parsedUrl(src, 'https://formula.invalid/')?.searchParams;
  const named = ['latex', 'tex', 'math']
    .map((key) => query?.get(key) ?? '')
    .find((tex) => tex !== '');
  return named ?? [...(query?.keys() ?? [])][0] ?? '';
}

const DELIMITERS: readonly (readonly [string, string])[] = [
  ['$$', '$$'],
  ['$', '$'],
  ['\\(', '\\)'],
  ['\\[', '\\]'],
];

/** Removes the marks with which the authors of pages enclose TeX. */
export function withoutDelimiters(tex: string): string {
  const trimmed = tex.trim();
  const [open, close] = DELIMITERS.find(
    ([start, end]) =>
      trimmed.length > start.length + end.length &&
      trimmed.startsWith(start) &&
      trimmed.endsWith(end),
  ) ?? ['', ''];
  return trimmed.slice(open.length, trimmed.length - close.length).trim();
}
