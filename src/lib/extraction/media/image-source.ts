import { attribute, type DomElement, firstBelow, webAddress } from '../dom.js';
import { isNamedOnly } from './file-names.js';

/**
 * Attributes of an `<img>` element that contain the address of a picture which a script loads later, when the picture
 * becomes visible. The most reliable attribute is first.
 */
const LAZY = [
  'data-src',
  'data-original',
  'data-lazy-src',
  'data-orig-file',
  'data-hi-res-src',
  'data-full-url',
  'data-image',
  'data-url',
];
/**
 * Words in the file names of placeholder pictures. If the file name contains any other word too, as in `empty-nest`,
 * the file may be a photograph.
 */
const PLACEHOLDERS: ReadonlySet<string> = new Set(
  'blank spacer placeholder loading lazy lazyload transparent grey gray 1x1 pixel empty'.split(' '),
);
const FILLERS: ReadonlySet<string> = new Set('image img load loader spinner'.split(' '));
const PICTURE = /\.(?:jpe?g|png|webp|gif|avif)(?:$|[?#])/iu;

/** The maximum length of a picture's address in characters. Longer addresses contain embedded data. */
const LONGEST = 4_096;

/** The attributes of LAZY whose address a script puts into the place of `src`. The others are for enlarged views. */
const REPLACING: ReadonlySet<string> = new Set(['data-src', 'data-original', 'data-lazy-src']);

const isPlaceholder = (address: string): boolean =>
  /^data:/iu.test(address) || isNamedOnly(address, PLACEHOLDERS, FILLERS);

/**
 * Returns the address of the picture that an `<img>` element shows after all scripts have run, in a size for reading.
 * Returns an empty text if the element shows no picture.
 */
export function imageSource(image: DomElement, base: string): string {
  const set = sizesOf(image);
  const own = usable(attribute(image, 'src'));
  const lazy = lazySource(image);
  const shown = lazy.isReplacing ? lazy.src : own || lazy.src;
  const address = inReadableSize(shown, set);
  return address === '' ? '' : webAddress(address, base);
}

const usable = (address: string): string =>
  address.length > LONGEST || isPlaceholder(address) ? '' : address;

/** An address that a script puts into the place of `src`. */
interface LazySource {
  readonly src: string;
  /** True if the script always replaces `src`, which then contains only a small or blurred preview. */
  readonly isReplacing: boolean;
}

function lazySource(image: DomElement): LazySource {
  for (const name of LAZY) {
    const src = usable(attribute(image, name));
    if (PICTURE.test(src) || /^(?:https?:)?\/\//u.test(src)) {
      return { src, isReplacing: REPLACING.has(name) };
    }
  }
  return { src: '', isReplacing: false };
}

/** The width in pixels at which a picture is clear on the screen of a large e-reader or a telephone. */
const READABLE = 1_200;
/** The width in pixels of a picture that needs no replacement. */
const ENOUGH = 800;

/**
 * Returns the address of a picture in a readable size. The address `shown` stays if it is the only one, or if it is
 * large enough, or if the `srcset` states no widths.
 */
function inReadableSize(shown: string, sizes: readonly Candidate[]): string {
  const widths = sizes.filter(({ isWidth }) => isWidth);
  const isKnown = widths.some(({ src, size }) => src === shown && size >= ENOUGH);
  if (shown !== '' && (isKnown || widths.length === 0)) {
    return shown;
  }
  const ascending = sizes.toSorted((one, other) => one.size - other.size);
  const fitting = ascending.find(({ isWidth, size }) => isWidth && size >= READABLE);
  return (fitting ?? ascending.at(-1))?.src ?? shown;
}

/** Returns the sizes of a picture: from its own `srcset`, or from the `<source>` elements before it. */
function sizesOf(image: DomElement): Candidate[] {
  const sets = ['srcset', 'data-srcset', 'data-lazy-srcset'].map((name) => attribute(image, name));
  const set = sets.find((one) => one !== '' && !isPlaceholder(one)) ?? sourceSet(image);
  return [...candidatesIn(set)].filter(({ src }) => usable(src) !== '');
}

/** Returns the `srcset` of the first `<source>` element before the image in the same `<picture>` element. */
export function sourceSet(image: DomElement): string {
  const picture = image.parentElement;
  const [first] =
    picture?.localName === 'picture'
      ? firstBelow(picture, 1, (one) => one === image || one.localName === 'source')
      : [];
  return first === undefined || first === image ? '' : setOf(first);
}

const setOf = (source: DomElement): string =>
  attribute(source, 'srcset') || attribute(source, 'data-srcset');

interface Candidate {
  readonly src: string;
  readonly size: number;
  /** True if the size is a width in pixels. Otherwise, it is a density. */
  readonly isWidth: boolean;
}

/**
 * Parses a `srcset` step by step, because a single regular expression would take quadratic time for a very long word.
 * An address ends at white space, because an address may contain commas. The size after the address ends at a comma.
 */
function* candidatesIn(set: string): Generator<Candidate> {
  for (let at = 0; at < set.length;) {
    const start = endOf(/[\s,]*/uy, set, at);
    const end = endOf(/\S*/uy, set, start);
    const address = set.slice(start, end);
    const comma = address.endsWith(',') ? end : set.indexOf(',', end);
    at = comma < 0 ? set.length : comma;
    const size = sizeIn(set.slice(end, at).trim());
    if (size !== undefined) {
      yield { src: withoutCommas(address), size, isWidth: /w\b/u.test(set.slice(end, at)) };
    }
  }
}

function endOf(run: RegExp, text: string, start: number): number {
  run.lastIndex = start;
  run.test(text);
  return run.lastIndex;
}

/**
 * Parses the size that follows an address in a `srcset`. Returns 1 if there is no size. Returns
 * undefined for an invalid size, because browsers then skip the address.
 */
function sizeIn(words: string): number | undefined {
  if (words === '') {
    return 1;
  }
  const size = /^(\d[\d.]*)[wx](?:\s+\d+h)?$/u.exec(words)?.[1];
  return size === undefined ? undefined : Number(size);
}

function withoutCommas(word: string): string {
  let to = word.length;
  while (word[to - 1] === ',') {
    to -= 1;
  }
  return word.slice(0, to);
}
