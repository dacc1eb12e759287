import { parsedUrl } from '../../common/parsed-url.js';
import {
  attribute,
  type DomElement,
  isElement,
  labelOf,
  lineOf,
  squeezed,
  webAddress,
} from '../dom.js';
import type { PageImage } from '../page-content.js';

const MOST = 200;
const MOST_SEEN = 2_000;
/** Smaller pictures are buttons, bullets and counters. */
const SMALLEST = 48;
const TRACKER =
  /(?:^|[/.])(?:doubleclick|scorecardresearch|quantserve|google-analytics|facebook\.com\/tr|pixel|beacon|feedburner|feedblitz|vgwort|met\.vgwort|ioam|b\.gif|count(?:er)?\.)|[?&](?:utm_|pixel)/iu;
const DECORATION =
  /(?:^|[\s_/-])(?:avatar|gravatar|icons?|logo|emoji|smiley|wp-smiley|sprite|badge|author-?(?:image|img|photo|pic)|share|social|button|spinner|loader)(?:$|[\s_./-])/iu;

/** The pictures of an article in their order, each once; what decorates or counts is left out. */
export function imagesOf(root: DomElement, base: string): PageImage[] {
  const found = new Map<string, PageImage>();
  for (const element of [...root.querySelectorAll('img')].slice(0, MOST_SEEN)) {
    const image = imageOf(element, base);
    if (image && found.size < MOST) {
      const first = found.get(image.src) ?? { ...image, position: found.size + 1 };
      found.set(image.src, first);
      element.setAttribute('data-image', String(first.position));
    }
  }
  return [...found.values()];
}

/** A picture as a reader sees it; undefined for a picture that does not belong to the article. */
function imageOf(element: DomElement, base: string): Omit<PageImage, 'position'> | undefined {
  const src = imageSource(element, base);
  const [width, height] = [pixels(element, 'width'), pixels(element, 'height')];
  const isSmall = (width > 0 && width < SMALLEST) || (height > 0 && height < SMALLEST);
  if (src === '' || isSmall || TRACKER.test(src) || isDecoration(element, src)) {
    return undefined;
  }
  element.setAttribute('src', src);
  return { src, width, height, ...captionOf(element) };
}

const isDecoration = (element: DomElement, src: string): boolean =>
  DECORATION.test(labelOf(element)) || DECORATION.test(new URL(src).pathname);

function pixels(element: DomElement, name: string): number {
  const size = /^\s*(\d{1,5})(?:px)?\s*$/u.exec(attribute(element, name))?.[1];
  return Number(size ?? 0);
}

/** The picture above an article, which article finders cut off: the one that the page wants shown with it. */
export function leadImage(
  body: DomElement,
  topImage: string,
  base: string,
): Omit<PageImage, 'position'> | undefined {
  const name = fileOf(topImage);
  if (name.length < SHORTEST_NAME) {
    return undefined;
  }
  for (const element of [...body.querySelectorAll('img')].slice(0, MOST_SEEN)) {
    if (fileOf(imageSource(element, base)) === name) {
      return imageOf(element, base);
    }
  }
  return undefined;
}

/** Names such as `a.jpg` are of many pictures. */
const SHORTEST_NAME = 7;

/** The name of the file: pictures of all sizes have the same. */
function fileOf(src: string): string {
  const path = parsedUrl(src)?.pathname ?? '';
  return (path.split('/').at(-1) ?? '').replace(/-\d+x\d+(?=\.\w+$)/u, '');
}

/** The pictures of a page: the one above the article first. */
export function withLead(
  images: readonly PageImage[],
  lead: Omit<PageImage, 'position'> | undefined,
): PageImage[] {
  const isThere = images.some(({ src }) => lead === undefined || fileOf(src) === fileOf(lead.src));
  return lead === undefined || isThere
    ? [...images]
    : [{ ...lead, position: images.length + 1 }, ...images];
}

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
const PLACEHOLDER =
  /^data:|(?:^|[/_-])(?:blank|spacer|placeholder|loading|lazy|transparent|grey|gray|1x1|pixel|empty)[\w-]*\.(?:gif|png|svg|jpe?g)/iu;
const PICTURE = /\.(?:jpe?g|png|webp|gif|avif)(?:$|[?#])/iu;

/** The address that a picture ends up with when a reader looks at it; "" when there is none. */
function imageSource(image: DomElement, base: string): string {
  const candidates = [
    attribute(image, 'src'),
    ...LAZY.map((name) => attribute(image, name)).filter(
      (value) => PICTURE.test(value) || /^(?:https?:)?\/\//u.test(value),
    ),
    largestOf(
      attribute(image, 'srcset') ||
        attribute(image, 'data-srcset') ||
        attribute(image, 'data-lazy-srcset'),
    ),
    largestOf(sourceSet(image)),
  ];
  const src = candidates.find((value) => value !== '' && !PLACEHOLDER.test(value)) ?? '';
  return webAddress(src, base);
}

/** The addresses of the first source of the `<picture>` around the image, which stands before it. */
function sourceSet(image: DomElement): string {
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

// eslint-disable-next-line regexp/no-super-linear-move -- of 8,192 characters at most
const CANDIDATE = /(\S*[^,\s])(?:\s+([\d.]+)[wx])?(?:\s*,|\s*$)/gu;

/** The largest picture of a `srcset`. */
function largestOf(set: string): string {
  const candidates = [...set.slice(0, 8_192).matchAll(CANDIDATE)].map(([, src = '', size]) => ({
    src,
    size: Number(size ?? 1),
  }));
  return candidates.sort((a, b) => b.size - a.size)[0]?.src ?? '';
}

interface Caption {
  readonly caption: string;
  readonly credit: string;
}

const NONE: Caption = { caption: '', credit: '' };
const FRAME =
  /(?:^|[\s_-])(?:wp-caption|caption|image-?(?:wrapper|container|block|wrap)|media)(?:$|[\s_-])/iu;
const CAPTION = 'figcaption, .wp-caption-text, .caption, .caption-text, [itemprop="caption"]';
const CREDIT =
  '.credit, .image-credit, .photo-credit, .copyright, .source, .photographer, [itemprop="copyrightHolder"], [itemprop="creditText"], cite';
const WRITTEN =
  /(?:^|[\s(|.])(?:(?:photo|foto|image|picture|bild|credit|credits|source|quelle|crédit|photograph)s?(?:\s(?:credits?|by|von|courtesy(?: of)?))?\s?[:/]\s?|©\s?|\(c\)\s?|photo(?:graph)? by\s)([^|()]{2,80})\)?\s*$/iu;
const HIGHEST = 4;
const LONGEST = 1_000;

/** What the page writes below a picture, and whose picture it says it is. */
function captionOf(image: DomElement): Caption {
  const frame = frameOf(image);
  const element = frame?.querySelector(CAPTION);
  if (!frame || !element) {
    return NONE;
  }
  const text = lineOf(element).slice(0, LONGEST);
  const credited = frame.querySelector(CREDIT);
  const credit = credited ? lineOf(credited) : (WRITTEN.exec(text)?.[1] ?? '').trim();
  return { caption: squeezed(withoutEnd(text, credited ? credit : '')), credit };
}

/** The figure, or what serves as one, that a picture is in. */
function frameOf(image: DomElement): DomElement | null {
  let at = image.parentElement;
  for (let height = 0; at && height < HIGHEST; height += 1) {
    if (at.localName === 'figure' || FRAME.test(labelOf(at))) {
      return at;
    }
    at = at.parentElement;
  }
  return null;
}

const withoutEnd = (text: string, end: string): string =>
  end !== '' && text.endsWith(end) ? text.slice(0, -end.length) : text;
