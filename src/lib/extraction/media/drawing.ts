import { type ChildNode, type Element, isTag, isText } from 'domhandler';
import { decodeHTMLAttribute, encodeXML, escapeAttribute } from 'entities';
import { parseDocument } from 'htmlparser2';

import { findElement, tokenText } from '../formulas/math-node.js';
import type { RawAttributes } from '../markup/head-reader.js';
import { isTooDeep } from '../markup/nesting.js';

/** The elements of a drawing that are kept. Links, scripts, animations and foreign content are removed. */
const TAGS: ReadonlySet<string> = new Set(
  (
    'svg g defs symbol use title desc path rect circle ellipse line polyline polygon text tspan textPath marker ' +
    'linearGradient radialGradient stop clipPath mask pattern style switch'
  ).split(' '),
);
const SHAPES = /<(?:path|circle|ellipse|line|polyline|polygon|text|use|rect)\b/giu;
/** Matches the names of attributes that run scripts. */
const RUNNING = /^on|^(?:xml:)?base$/iu;
/** Matches values with an address outside the drawing. */
const OUTSIDE = /url\(\s*['"]?(?!#)|javascript:|@import|expression\(|<|\\/iu;

/** Parses names in drawings as they are written. HTML has more entities than XML. */
const DRAWING = {
  lowerCaseTags: false,
  lowerCaseAttributeNames: false,
  recognizeSelfClosing: true,
};

const LONGEST = 60_000;
const DEEPEST = 64;
/** The minimum width or height of a drawing in its own units. Icons are usually smaller. */
const SMALLEST = 90;
const SMALLEST_SHOWN = 48;
const FEWEST_SHAPES = 2;

/** Returns true if a tag may open a drawing that is part of an article. Most inline drawings are icons. */
export function opensDrawing(name: string, attributes: RawAttributes): boolean {
  if (name !== 'svg' || attributes.get('aria-hidden') === 'true' || attributes.has('hidden')) {
    return false;
  }
  const shown = ['width', 'height'].map((key) => sizeIn(attributes.get(key) ?? ''));
  const [, , ...own] = (attributes.get('viewbox') ?? '').split(/[\s,]+/u).map(Number);
  return (
    shown.every((size) => size === undefined || size >= SMALLEST_SHOWN) &&
    Math.max(...own.filter(Number.isFinite), ...shown.map((size) => size ?? 0)) >= SMALLEST
  );
}

const sizeIn = (value: string): number | undefined => {
  const size = /^\s*(\d{1,5})(?:\.\d+)?(?:px)?\s*$/u.exec(value)?.[1];
  return size === undefined ? undefined : Number(size);
};

/**
 * Returns a picture with an inline drawing, and with the title of the drawing as alternative text. Returns only the
 * title if the drawing is too large or too deep, and an empty text if the drawing is an icon.
 */
export function drawingOf(markup: string, attributes: RawAttributes): string {
  if (!hasEnoughShapes(markup, attributes)) {
    return '';
  }
  const isLarge = markup.length > LONGEST || isTooDeep(markup);
  const roots = isLarge ? [] : parseDocument(markup, DRAWING).children;
  const root = findElement(roots, ({ name }) => name.toLowerCase() === 'svg');
  const xml = root ? written(root, 0) : '';
  const title = decodeHTMLAttribute(attributes.get('aria-label') ?? '') || titleIn(roots);
  return xml === '' ? encodeXML(title) : imageOf(xml, title, attributes);
}

/** Returns true if a drawing is not an icon. One shape is enough for a drawing that has a title or a text. */
function hasEnoughShapes(markup: string, attributes: RawAttributes): boolean {
  const isNamed = /<(?:title|desc|text)\b/iu.test(markup) || attributes.has('aria-label');
  const shapes = markup.match(SHAPES)?.length ?? 0;
  return shapes >= FEWEST_SHAPES || (isNamed && shapes > 0);
}

const titleIn = (roots: readonly ChildNode[]): string => {
  const title = findElement(roots, ({ name }) => name === 'title' || name === 'desc');
  return title ? tokenText(title.children) : '';
};

function imageOf(xml: string, title: string, attributes: RawAttributes): string {
  const sizes = ['width', 'height'].flatMap((name) => {
    const size = sizeIn(attributes.get(name) ?? '');
    return size === undefined ? [] : [` ${name}="${size}"`];
  });
  const src = `data:image/svg+xml;base64,${Buffer.from(xml).toString('base64')}`;
  return `<img src="${src}" alt="${escapeAttribute(title)}"${sizes.join('')}>`;
}

const NAMESPACE = ' xmlns="http://www.w3.org/2000/svg"';

function written(element: Element, depth: number): string {
  const { name, attribs, children } = element;
  if (!TAGS.has(name) || depth > DEEPEST) {
    return '';
  }
  const kept = Object.entries(attribs).flatMap(([key, value]) =>
    isKept(key, value) ? [` ${key}="${encodeXML(value)}"`] : [],
  );
  const inner = children.map((child) => writtenChild(child, name, depth)).join('');
  return `<${name}${depth === 0 ? NAMESPACE : ''}${kept.join('')}>${inner}</${name}>`;
}

const isKept = (key: string, value: string): boolean =>
  /^[a-z][\w:-]{0,40}$/iu.test(key) &&
  !RUNNING.test(key) &&
  !key.startsWith('xmlns') &&
  !key.startsWith('xml:') &&
  (/href$/iu.test(key) ? key === 'href' && value.startsWith('#') : !OUTSIDE.test(value));

function writtenChild(child: ChildNode, parent: string, depth: number): string {
  if (isText(child)) {
    return parent === 'style' && OUTSIDE.test(child.data) ? '' : encodeXML(child.data);
  }
  return isTag(child) ? written(child, depth + 1) : '';
}
