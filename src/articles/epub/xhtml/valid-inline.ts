import { isLocalLink, localIdOf } from '../../reading/local-ids.js';
import type { Attributes } from '../../reading/parse-article.js';
import { uriOf } from '../epub-values.js';
import { element, isBlank, MEDIA, type Tree, type TreeElement } from './article-tree.js';

/**
 * A function that returns the path of a picture in the book for its original address. It returns undefined if the book
 * does not contain the picture.
 */
export type PictureFinder = (src: string) => string | undefined;

/**
 * Shows whether the current element is inside a link, and whether it is inside a definition. HTML
 * does not allow nested links or nested definitions.
 */
interface Inside {
  readonly link: boolean;
  readonly definition: boolean;
}

const NOWHERE: Inside = { link: false, definition: false };
/** Inline elements that never have content. They are kept, unlike other empty elements. */
const VOID = new Set(['br', 'wbr']);
/** Elements that are valid only within `ruby`. In other places, their content replaces them. */
const OF_RUBY = new Set(['rt', 'rp']);

/** Converts the children of an element to valid text and inline elements. Omits empty elements. */
export const validInline = (children: readonly Tree[], pictures: PictureFinder): Tree[] =>
  new InlineWriter(pictures).all(children, NOWHERE);

class InlineWriter {
  constructor(private readonly pictures: PictureFinder) {}

  all(children: readonly Tree[], inside: Inside): Tree[] {
    return children.flatMap((child) =>
      typeof child === 'string' ? [child] : this.one(child, inside),
    );
  }

  private one(inline: TreeElement, inside: Inside): Tree[] {
    switch (inline.tag) {
      case 'img':
        return this.picture(inline);
      case MEDIA:
        return mediaLink(inline, inside);
      case 'a':
        return this.link(inline, inside);
      case 'ruby':
        return this.ruby(inline, inside);
      case 'dfn':
        return this.definition(inline, inside);
      default:
        return this.other(inline, inside);
    }
  }

  private definition({ tag, attributes, children }: TreeElement, inside: Inside): Tree[] {
    const inner = this.all(children, { ...inside, definition: true });
    return inside.definition ? inner : filled(tag, inner, attributes);
  }

  private other(inline: TreeElement, inside: Inside): Tree[] {
    if (VOID.has(inline.tag)) {
      return [element(inline.tag, [])];
    }
    const inner = this.all(inline.children, inside);
    return OF_RUBY.has(inline.tag) ? inner : plain(inline, inner);
  }

  /** Returns the picture, or its alternative text in brackets if the book does not contain the picture. */
  private picture({ attributes: { src = '', alt = '', title } }: TreeElement): Tree[] {
    const path = this.pictures(src);
    if (path === undefined) {
      const words = alt.trim();
      return words === '' ? [] : [element('span', [`[${words}]`], { class: 'no-picture' })];
    }
    const named = title === undefined ? {} : { title };
    return [element('img', [], { src: path, alt, ...named })];
  }

  private link({ attributes, children }: TreeElement, inside: Inside): Tree[] {
    const href = inside.link ? undefined : addressOf(attributes['href'] ?? '');
    const inner = this.all(children, { ...inside, link: inside.link || href !== undefined });
    const { title } = attributes;
    const named = title === undefined || title === '' ? {} : { title };
    const place = placeOf(attributes);
    if (href === undefined) {
      return place.id === undefined ? inner : filled('span', inner, place);
    }
    return filled('a', inner, { href, ...named, ...place });
  }

  /**
   * Converts `ruby` to plain text for e-readers that do not support it. Each reading follows its base text in
   * parentheses.
   */
  private ruby({ attributes, children }: TreeElement, inside: Inside): Tree[] {
    const pieces: Tree[] = [];
    let base: Tree[] = [];
    let hasReadings = false;
    for (const child of children.filter((one) => typeof one === 'string' || one.tag !== 'rp')) {
      if (typeof child !== 'string' && child.tag === 'rt') {
        const reading = this.all(child.children, inside);
        const isReading = !base.every(isBlank);
        pieces.push(...base, ...(isReading ? inParentheses(reading) : reading));
        hasReadings ||= isReading;
        base = [];
      } else {
        base.push(...this.all([child], inside));
      }
    }
    const isWhole = hasReadings && base.every(isBlank);
    return isWhole ? filled('ruby', pieces, attributes) : [...withoutRuby(pieces), ...base];
  }
}

const inParentheses = (reading: readonly Tree[]): Tree[] => [
  ...[element('rp', ['(']), element('rt', reading), element('rp', [')'])],
];

const withoutRuby = (pieces: readonly Tree[]): Tree[] =>
  pieces.flatMap((piece) =>
    typeof piece !== 'string' && (piece.tag === 'rp' || piece.tag === 'rt')
      ? piece.children
      : [piece],
  );

const addressOf = (href: string): string | undefined => (isLocalLink(href) ? href : uriOf(href));

/** Returns the id and the role of an element that is a link to a note, or the target of a link. */
function placeOf(attributes: Attributes): Attributes {
  const id = localIdOf(attributes);
  const { role } = attributes;
  return { ...(id === undefined ? {} : { id }), ...(role === undefined ? {} : { role }) };
}

function mediaLink({ attributes }: TreeElement, { link }: Inside): Tree[] {
  const { href = '', kind = '', title = '' } = attributes;
  const address = uriOf(href);
  if (address === undefined || link) {
    return [];
  }
  const label = title === '' ? href : title;
  return [element('span', [`${kind}: `, element('a', [label], { href: address })])];
}

/** Returns the element, or only its content if the element has no effect, such as a `span` without attributes. */
function plain({ tag, attributes }: TreeElement, inner: readonly Tree[]): Tree[] {
  const isNothing =
    (tag === 'span' &&
      attributes['lang'] === undefined &&
      attributes['dir'] === undefined &&
      localIdOf(attributes) === undefined) ||
    (tag === 'bdo' && !/^(?:ltr|rtl)$/i.test(attributes['dir'] ?? ''));
  return isNothing ? [...inner] : filled(tag, inner, attributes);
}

/**
 * Returns an element with the given content. Returns an empty array if the content is empty, unless links lead to the
 * element.
 */
const filled = (
  tag: string,
  inner: readonly Tree[],
  attributes: TreeElement['attributes'],
): Tree[] =>
  (inner.length === 0 || inner.every((one) => one === '')) && localIdOf(attributes) === undefined
    ? []
    : [element(tag, inner, attributes)];
