import { attribute, type DomElement, labelOf } from '../dom.js';
import type { PageImage } from '../page-content.js';
import { captionReader } from './captions.js';
import { fileNameOf, isNamedOnly } from './file-names.js';
import { imageSource } from './image-source.js';
import { EmbeddedPictures } from './picture-marks.js';

const MOST = 200;
const MOST_SEEN = 2_000;
/**
 * The minimum width and height in pixels of a picture that belongs to an article. Smaller pictures are buttons, bullets
 * and counters.
 */
const SMALLEST = 48;
const TRACKERS =
  /(?:^|\.)(?:doubleclick|scorecardresearch|quantserve|google-analytics|feedburner|feedblitz|vgwort|ioam|pixel|beacon|count(?:er)?)\./iu;
const TRACKED = /facebook\.com\/tr(?:$|[/?])|\/b\.gif(?:$|\?)|[?&](?:utm_|pixel)/iu;
const COUNTERS: ReadonlySet<string> = new Set('pixel beacon count counter'.split(' '));
const DECORATION =
  /(?:^|[\s_/-])(?:avatar|gravatar|icons?|logo|emoji|smiley|wp-smiley|sprite|badge|author-?(?:image|img|photo|pic)|share|social|button|spinner|loader)(?:$|[\s_./-])/iu;
/** Matches the address of a picture in a folder of decorative pictures, such as icons. */
const DECORATING = /\/(?:avatars?|gravatar|icons?|emojis?|smil(?:ey|ie)s?|sprites?|badges?)\//iu;
/**
 * Words in the file names of decorative pictures. If the file name contains any other word too, as in `logo-lamp`, the
 * file may be a photograph.
 */
const DECORATIONS: ReadonlySet<string> = new Set(
  'avatar gravatar icon icons logo emoji smiley sprite badge author share social button spinner loader'.split(
    ' ',
  ),
);
const FILLERS: ReadonlySet<string> = new Set('image img photo pic'.split(' '));
/** Matches the file extensions of drawings and animations. Photographs never have these extensions. */
const DRAWING = /\.(?:svg|gif|ico)$/iu;

/**
 * Returns the pictures of an article in document order. Omits duplicates, decoration and tracking pixels. The attribute
 * `data-image` of a picture contains its number. Pictures after the last one that is returned have a higher number.
 */
export function imagesOf(root: DomElement, base: string): PageImage[] {
  const found = new Map<string, PageImage>();
  const captionOf = captionReader();
  const embedded = new EmbeddedPictures();
  for (const element of [...root.querySelectorAll('img')].slice(0, MOST_SEEN)) {
    const image = imageOf(element, base);
    if (!image) {
      embedded.mark(element);
    }
    if (image && found.size >= MOST && !found.has(image.src)) {
      element.setAttribute('data-image', String(MOST + 1));
    } else if (image) {
      const first = found.get(image.src) ?? {
        ...image,
        ...captionOf(element),
        position: found.size + 1,
      };
      found.set(image.src, first);
      element.setAttribute('data-image', String(first.position));
    }
  }
  return [...found.values()];
}

type Bare = Pick<PageImage, 'src' | 'width' | 'height'>;

/**
 * Returns the address and size of a picture. Returns undefined if the picture is too small, decorative or a tracking
 * pixel.
 */
function imageOf(element: DomElement, base: string): Bare | undefined {
  const src = imageSource(element, base);
  const [width, height] = [pixels(element, 'width'), pixels(element, 'height')];
  const isSmall = (width > 0 && width < SMALLEST) || (height > 0 && height < SMALLEST);
  if (src === '' || isSmall || isTracker(src) || isDecoration(element, src)) {
    return undefined;
  }
  element.setAttribute('src', src);
  return { src, width, height };
}

function isTracker(src: string): boolean {
  return TRACKERS.test(new URL(src).hostname) || TRACKED.test(src) || isNamedOnly(src, COUNTERS);
}

function isDecoration(element: DomElement, src: string): boolean {
  const { pathname } = new URL(src);
  return (
    DECORATION.test(labelOf(element)) ||
    DECORATING.test(pathname) ||
    (DRAWING.test(pathname) && DECORATION.test(pathname)) ||
    isNamedOnly(pathname, DECORATIONS, FILLERS)
  );
}

/** Renumbers the pictures of a further page of an article, so that their numbers follow those of `before` pictures. */
export function renumbered(
  images: readonly PageImage[],
  root: DomElement | undefined,
  before: number,
): readonly PageImage[] {
  for (const element of before === 0 ? [] : (root?.querySelectorAll('img[data-image]') ?? [])) {
    element.setAttribute('data-image', String(Number(attribute(element, 'data-image')) + before));
  }
  return images.map((image) => ({ ...image, position: image.position + before }));
}

function pixels(element: DomElement, name: string): number {
  const size = /^\s*(\d{1,5})(?:px)?\s*$/u.exec(attribute(element, name))?.[1];
  return Number(size ?? 0);
}

/**
 * Returns the large picture above an article, which Readability removes from the article. The picture has the same file
 * name as the preview picture that the page declares, or is beside the headline.
 */
export const leadImage = (
  body: DomElement,
  topImage: string,
  base: string,
): Omit<PageImage, 'position'> | undefined =>
  declaredImage(body, topImage, base) ?? imageOfHeadline(body, base);

/** The minimum width in pixels of a picture beside the headline. Smaller pictures often show the author. */
const WIDE = 400;

/** Returns the first figure or wide picture in the `<header>` that contains the headline. */
function imageOfHeadline(body: DomElement, base: string): Omit<PageImage, 'position'> | undefined {
  const header = body.querySelector('h1')?.closest('header') ?? undefined;
  const images = header ? [...header.querySelectorAll('img')].slice(0, MOST_IN_HEADER) : [];
  for (const element of images) {
    const image = imageOf(element, base);
    if (image && (image.width >= WIDE || element.closest('figure') !== null)) {
      return { ...image, ...captionReader()(element) };
    }
  }
  return undefined;
}

const MOST_IN_HEADER = 10;

function declaredImage(
  body: DomElement,
  topImage: string,
  base: string,
): Omit<PageImage, 'position'> | undefined {
  const name = fileNameOf(topImage);
  if (name.length < SHORTEST_NAME) {
    return undefined;
  }
  for (const element of [...body.querySelectorAll('img')].slice(0, MOST_SEEN)) {
    if (fileNameOf(imageSource(element, base)) === name) {
      const image = imageOf(element, base);
      return image && { ...image, ...captionReader()(element) };
    }
  }
  return undefined;
}

/**
 * The minimum length of a file name that identifies a picture. Different pictures may have the same shorter name, such
 * as `a.jpg`.
 */
const SHORTEST_NAME = 7;

/** Adds the picture above an article at the start of `images`, unless `images` already contains the picture. */
export function withLead(
  images: readonly PageImage[],
  lead: Omit<PageImage, 'position'> | undefined,
): PageImage[] {
  const isThere = images.some(
    ({ src }) => lead === undefined || fileNameOf(src) === fileNameOf(lead.src),
  );
  return lead === undefined || isThere
    ? [...images]
    : [{ ...lead, position: images.length + 1 }, ...images];
}
