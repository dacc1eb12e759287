import { DOMParser, type XmlDocument, type XmlElement } from 'linkedom';

import { allowedInXml } from '../../../lib/util/xml.js';
import { isNote, localIdOf } from '../../reading/local-ids.js';
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
  append({ document, ids: idsIn(tree), written: new Set() }, root, tree);
  return root.innerHTML;
}

/** Elements that are written as empty tags, such as `<br/>`. HTML parsers accept these tags too. */
const VOID = new Set(['br', 'hr', 'wbr', 'img']);

interface Chapter {
  readonly document: XmlDocument;
  /** The ids of all elements of the chapter. A link to a missing id would make the book invalid. */
  readonly ids: ReadonlySet<string>;
  /** The ids that are already written. An element that is repeated in several blocks has an id only once. */
  readonly written: Set<string>;
}

/** Returns the ids of the elements in a tree. */
function idsIn(tree: readonly Tree[]): Set<string> {
  const ids = new Set<string>();
  const visit = (children: readonly Tree[]): void => {
    for (const child of children) {
      if (typeof child !== 'string') {
        const id = localIdOf(child.attributes);
        if (id !== undefined) {
          ids.add(id);
        }
        visit(child.children);
      }
    }
  };
  visit(tree);
  return ids;
}

function append(chapter: Chapter, parent: XmlElement, children: readonly Tree[]): void {
  const { document } = chapter;
  for (const child of children) {
    if (typeof child === 'string') {
      parent.appendChild(document.createTextNode(allowedInXml(child)));
      continue;
    }
    const made = document.createElement(child.tag);
    for (const [name, value] of [...placeOf(child, chapter), ...attributesOf(child)]) {
      made.setAttribute(name, allowedInXml(value));
    }
    append(chapter, made, child.children);
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
  ['a', { href: (href) => !href.startsWith('#'), title: isAny }],
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

/**
 * Returns the id of an element, its link to an id of the chapter, and its role as a note. E-readers show a note with the
 * `epub:type` of a footnote in a window (EPUB Structural Semantics Vocabulary 1.1).
 */
function placeOf({ tag, attributes }: TreeElement, { ids, written }: Chapter): Attribute[] {
  const id = localIdOf(attributes);
  const isNew = id !== undefined && !written.has(id);
  if (isNew) {
    written.add(id);
  }
  return [
    ...(isNew ? [['id', id] as const] : []),
    ...(tag === 'a' ? jumpOf(attributes, ids) : isNote(attributes) ? [NOTE] : []),
  ];
}

const NOTE: Attribute = ['epub:type', 'footnote'];

/** Returns the link to a place in the chapter. Returns no attributes if the chapter does not contain the place. */
function jumpOf({ href = '', role = '' }: Attributes, ids: ReadonlySet<string>): Attribute[] {
  const type = TYPES[role];
  const isJump = href.startsWith('#') && ids.has(href.slice(1));
  const link: Attribute = ['href', href];
  return isJump ? [link, ...(type === undefined ? [] : [['epub:type', type] as const])] : [];
}

const TYPES: Readonly<Record<string, string>> = {
  'doc-noteref': 'noteref',
  'doc-backlink': 'backlink',
};

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
