import { DOMParser, type XmlDocument, type XmlElement } from 'linkedom';

import { allowedInXml } from '../../../lib/util/xml.js';
import type { Attributes } from '../../reading/parse-article.js';
import { languageOf } from '../epub-values.js';
import { articleTree, type Tree, type TreeElement } from './article-tree.js';
import { validFlow } from './valid-tree.js';

/** The input of `chapterText`. */
export interface ChapterTask {
  /** The HTML of the article, as it is stored. */
  readonly html: string;
  /** The path of each picture in the book, keyed by its original address. The chapter omits pictures without a path. */
  readonly pictures: ReadonlyMap<string, string>;
}

/** The XHTML of a chapter, ready to be inserted into a document, and the pictures that it shows. */
export interface ChapterText {
  readonly xhtml: string;
  /** The original addresses of the pictures that the text shows. */
  readonly placed: readonly string[];
}

/**
 * Converts the HTML of an article to valid XHTML with only a few kinds of elements and attributes (EPUB 3.3 section
 * 6.1).
 */
export function chapterText({ html, pictures }: ChapterTask): ChapterText {
  const placed = new Set<string>();
  const find = (src: string): string | undefined => {
    const path = pictures.get(src);
    if (path !== undefined) {
      placed.add(src);
    }
    return path;
  };
  const tree = validFlow(articleTree(html), { pictures: find, wrappers: [] });
  return { xhtml: serialised(tree), placed: [...placed] };
}

function serialised(tree: readonly Tree[]): string {
  const document = new DOMParser().parseFromString('<div/>', 'text/xml');
  const root = document.createElement('div');
  append(document, root, tree);
  return root.innerHTML;
}

/** Elements that are written as empty tags, such as `<br/>`. HTML parsers accept these tags too. */
const VOID = new Set(['br', 'hr', 'wbr', 'img']);

function append(document: XmlDocument, parent: XmlElement, children: readonly Tree[]): void {
  for (const child of children) {
    if (typeof child === 'string') {
      parent.appendChild(document.createTextNode(allowedInXml(child)));
      continue;
    }
    const made = document.createElement(child.tag);
    for (const [name, value] of attributesOf(child)) {
      made.setAttribute(name, allowedInXml(value));
    }
    append(document, made, child.children);
    if (child.children.length === 0 && !VOID.has(child.tag)) {
      // An empty text node forces an end tag. Some e-readers parse the file as HTML, where `<td/>`
      // only opens the element.
      made.appendChild(document.createTextNode(''));
    }
    parent.appendChild(made);
  }
}

const isSpan = (value: string): boolean => /^[1-9]\d?$/.test(value);
const isNumber = (value: string): boolean => /^-?\d{1,5}$/.test(value);
const isAny = (): boolean => true;

type Checks = Readonly<Record<string, (value: string) => boolean>>;

const ATTRIBUTES: ReadonlyMap<string, Checks> = new Map<string, Checks>([
  ['a', { href: isAny, title: isAny }],
  ['img', { src: isAny, alt: isAny, title: isAny }],
  ['span', { class: (value) => value === 'no-picture' }],
  ['td', { colspan: isSpan, rowspan: isSpan }],
  ['th', { colspan: isSpan, rowspan: isSpan }],
  ['ol', { start: isNumber }],
  ['li', { value: isNumber }],
]);

type Attribute = readonly [name: string, value: string];

const attributesOf = ({ tag, attributes }: TreeElement): readonly Attribute[] => [
  ...ownOf(tag, attributes),
  ...languagesOf(attributes['lang']),
  ...directionOf(attributes['dir']),
];

const ownOf = (tag: string, { reversed, ...attributes }: Attributes): readonly Attribute[] => [
  ...Object.entries(ATTRIBUTES.get(tag) ?? {}).flatMap(([name, isFit]): Attribute[] => {
    const value = attributes[name];
    return value !== undefined && isFit(value) ? [[name, value]] : [];
  }),
  ...(tag === 'ol' && reversed !== undefined ? [REVERSED] : []),
];

const REVERSED: Attribute = ['reversed', 'reversed'];

/**
 * Returns the attributes `lang` and `xml:lang` with the same value, because HTML requires equal values (section
 * 3.2.6.2).
 */
function languagesOf(text = ''): readonly Attribute[] {
  const language = languageOf(text);
  return language === undefined
    ? []
    : [
        ['lang', language],
        ['xml:lang', language],
      ];
}

const directionOf = (text = ''): readonly Attribute[] =>
  /^(?:ltr|rtl|auto)$/i.test(text) ? [['dir', text.toLowerCase()]] : [];
