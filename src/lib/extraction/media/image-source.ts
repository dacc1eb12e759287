import { attribute, type DomElement, isElement, webAddress } from '../dom.js';
import { isNamedOnly } from './file-names.js';

/** Where lazy loaders put the address until the picture comes into view, the best first. */
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
/** What files that stand in for a picture are named with: a word more, and it may be a photograph of `empty-nest`. */
const PLACEHOLDERS: ReadonlySet<string> = new Set(
  'blank spacer placeholder loading lazy lazyload transparent grey gray 1x1 pixel empty'.split(' '),
);
const FILLERS: ReadonlySet<string> = new Set('image img load loader spinner'.split(' '));
const PICTURE = /\.(?:jpe?g|png|webp|gif|avif)(?:$|[?#])/iu;

/** Longer ones are data in disguise. */
const LONGEST = 4_096;

const isPlaceholder = (address: string): boolean =>
  /^data:/iu.test(address) || isNamedOnly(address, PLACEHOLDERS, FILLERS);

/** The address that a picture ends up with when a reader looks at it; "" when there is none. */
export function imageSource(image: DomElement, base: string): string {
  for (const candidate of candidatesOf(image)) {
    if (candidate !== '' && candidate.length <= LONGEST && !isPlaceholder(candidate)) {
      return webAddress(candidate, base);
    }
  }
  return '';
}

/** The best first; each is looked for only where those before it do not serve. */
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

/** The addresses of the first source of the `<picture>` around the image, which stands before it. */
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

/** The largest picture of a `srcset`. */
function largestOf(set: string): string {
  let largest: Candidate = { src: '', size: -1 };
  for (const candidate of candidatesIn(set)) {
    largest = candidate.size > largest.size ? candidate : largest;
  }
  return largest.src;
}

/**
 * An address ends at a blank, as it may have commas within, and its size at a comma. Read from one to the next: an
 * expression for all of it tries a word of thousands of letters from each of them on.
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

/** Where a run of such characters ends that begins there. */
function endOf(run: RegExp, text: string, start: number): number {
  run.lastIndex = start;
  run.test(text);
  return run.lastIndex;
}

/** Of one without a size 1; undefined where other words follow the address, as browsers leave it out. */
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
