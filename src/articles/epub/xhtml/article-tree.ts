import { type ArticleParts, type Attributes, parseArticle } from '../../reading/parse-article.js';
import { Headings, SHOWN_AS } from '../../reading/shown-elements.js';

/** A node in the element tree of an article: a text, or an element with its children. */
export type Tree = string | TreeElement;

export interface TreeElement {
  readonly tag: string;
  readonly attributes: Attributes;
  readonly children: readonly Tree[];
  /** True if the element contains a block element at any depth. */
  readonly holdsBlock: boolean;
}

/**
 * The maximum depth of the element tree, which is enough for every extracted article. In other
 * HTML, elements below this depth are dropped, but their content is kept.
 */
const MAX_DEPTH = 256;

/** The tag of a placeholder for a video or audio recording, which e-readers cannot play. */
export const MEDIA = 'media';

/**
 * The replacements for elements that e-readers do not support. If a replacement is undefined, only the content of the
 * element is kept.
 */
const INSTEAD: ReadonlyMap<string, string | undefined> = new Map([
  ['details', 'div'],
  ['summary', 'p'],
  ['time', undefined],
  ['colgroup', undefined],
  ['col', undefined],
]);

const BLOCK_TAGS = [
  ...['p', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'pre', 'div', 'hr', 'figure', 'figcaption'],
  ...['ul', 'ol', 'li', 'dl', 'dt', 'dd'],
  ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th'],
] as const;
const BLOCKS: ReadonlySet<string> = new Set(BLOCK_TAGS);

type Block = TreeElement & { readonly tag: (typeof BLOCK_TAGS)[number] };

export const isBlock = (tree: Tree): tree is Block =>
  typeof tree !== 'string' && BLOCKS.has(tree.tag);

const holdsOrIsBlock = (tree: Tree): boolean =>
  typeof tree !== 'string' && (tree.holdsBlock || BLOCKS.has(tree.tag));

export const element = (
  tag: string,
  children: readonly Tree[],
  attributes: Attributes = {},
): TreeElement => ({ tag, attributes, children, holdsBlock: children.some(holdsOrIsBlock) });

export const isBlank = (tree: Tree): boolean => typeof tree === 'string' && tree.trim() === '';

/** Parses the HTML of an article into a tree. */
export function articleTree(html: string): readonly Tree[] {
  const builder = new TreeBuilder();
  parseArticle(html, builder);
  return builder.root;
}

interface Open {
  /** The tag of the open element. Undefined if the element is dropped and only its content is kept. */
  readonly tag: string | undefined;
  readonly attributes: Attributes;
  readonly children: Tree[];
}

class TreeBuilder implements ArticleParts {
  readonly root: Tree[] = [];
  private readonly opened: Open[] = [];
  private readonly headings = new Headings();

  open(tag: string, attributes: Attributes): void {
    const shown = this.opened.length < MAX_DEPTH ? this.shownAs(tag) : undefined;
    const children = shown === undefined ? this.here() : [];
    this.opened.push({ tag: shown, attributes, children });
  }

  close(tag: string): void {
    this.headings.closed(tag);
    const closed = this.opened.pop();
    if (closed?.tag !== undefined) {
      this.here().push(element(closed.tag, closed.children, closed.attributes));
    }
  }

  text(text: string): void {
    this.here().push(text);
  }

  media(tag: string, sources: readonly string[], title: string): void {
    const href = sources.find((source) => /^https?:/i.test(source)) ?? '';
    const kind = tag === 'audio' ? 'Recording' : 'Video';
    this.here().push(element(MEDIA, [], { href, kind, title: title.trim() }));
  }

  /** Writes a formula as text, because many e-readers cannot show MathML. */
  formula(text: string): void {
    this.here().push(text.includes('\\') ? `\\(${text}\\)` : text);
  }

  private here(): Tree[] {
    return this.opened.at(-1)?.children ?? this.root;
  }

  private shownAs(tag: string): string | undefined {
    if (INSTEAD.has(tag)) {
      return INSTEAD.get(tag);
    }
    return tag === 'img' ? tag : (this.headings.opened(tag) ?? SHOWN_AS.get(tag));
  }
}
