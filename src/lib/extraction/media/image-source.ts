import { attribute, type DomElement, isElement, webAddress } from '../dom.js';
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

const isPlaceholder = (address: string): boolean =>
  /^data:/iu.test(address) || isNamedOnly(address, PLACEHOLDERS, FILLERS);

/**
 * Returns the address of the picture that an `<img>` element shows after all scripts have run. Returns an empty text if
 * the element shows no picture.
 */
export function imageSource(image: DomElement, base: string): string {
  for (const candidate of candidatesOf(image)) {
    if (candidate !== '' && candidate.length <= LONGEST && !isPlaceholder(candidate)) {
      return webAddress(candidate, base);
    }
  }
  return '';
}

/** Yields the possible addresses of the picture that an `<img>` element shows, the most likely address first. */
function* candidatesOf(image: DomElement): Generator<string> {
  yield attribute(image, 'src');
  for (const name of LAZY) {
    const value = attribute(image, name);
    yield PICTURE.test(value) || /^(?:https?:)?\/\//u.test(value) ? value : '';
  }
  yield largestOf(
    attribute(image, 'srcset') ||
      attribute(image, 'data-srcset') ||
      attribute(image, 'data-lazy-srcset'),
  );
  yield largestOf(sourceSet(image));
}

/** Returns the `srcset` of the first `<source>` element before the image in the same `<picture>` element. */
export function sourceSet(image: DomElement): string {
  const picture = image.parentElement?.localName === 'picture' ? image.parentElement : undefined;
  for (let node = picture?.firstChild; node && node !== image; node = node.nextSibling) {
    if (isElement(node) && node.localName === 'source') {
      return setOf(node);
    }
  }
  return '';
}

const setOf = (source: DomElement): string =>
  attribute(source, 'srcset') || attribute(source, 'data-srcset');

interface Candidate {
  readonly src: string;
  readonly size: number;
}

/** Returns the address of the largest picture that a `srcset` lists. */
function largestOf(set: string): string {
  let largest: Candidate = { src: '', size: -1 };
  for (const candidate of candidatesIn(set)) {
    largest = candidate.size > largest.size ? candidate : largest;
  }
  return largest.src;
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
      yield { src: withoutCommas(address), size };
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
