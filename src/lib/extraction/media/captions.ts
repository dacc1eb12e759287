import { type DomElement, labelOf, squeezed, startOf } from '../dom.js';

/** The caption and the credit of a picture. */
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

/**
 * The maximum number of characters that are read to find a caption. Real captions are short, but
 * some pages give the class of a caption to an element that contains the whole page.
 */
const LONGEST_READ = 10_000;

/**
 * Creates a function that returns the caption and credit of a picture. Use one function for all
 * pictures of a page, because the function searches the page and each figure only once.
 */
export function captionReader(): (image: DomElement) => Caption {
  const known = new Map<DomElement, Caption>();
  let written: Written | undefined;
  return (image) => {
    const frame = frameOf(image);
    if (frame === null) {
      return NONE;
    }
    written ??= writtenIn(topOf(frame));
    const caption = known.get(frame) ?? captionIn(frame, written);
    known.set(frame, caption);
    return caption;
  };
}

type FirstIn = ReadonlyMap<DomElement, DomElement>;

/** For each element of the page, the first caption and the first credit inside the element. */
interface Written {
  readonly captions: FirstIn;
  readonly credits: FirstIn;
}

const writtenIn = (root: DomElement): Written => ({
  captions: firstIn(root, CAPTION),
  credits: firstIn(root, CREDIT),
});

function firstIn(root: DomElement, selector: string): FirstIn {
  const first = new Map<DomElement, DomElement>();
  for (const element of root.querySelectorAll(selector)) {
    for (let at = element.parentElement; at && !first.has(at); at = at.parentElement) {
      first.set(at, element);
    }
  }
  return first;
}

function topOf(element: DomElement): DomElement {
  let top = element;
  while (top.parentElement) {
    top = top.parentElement;
  }
  return top;
}

function captionIn(frame: DomElement, { captions, credits }: Written): Caption {
  const element = captions.get(frame);
  if (!element) {
    return NONE;
  }
  const text = textOf(element).slice(0, LONGEST);
  const credited = credits.get(frame);
  const credit = credited ? textOf(credited) : (WRITTEN.exec(text)?.[1] ?? '').trim();
  return { caption: squeezed(withoutEnd(text, credited ? credit : '')), credit };
}

const textOf = (element: DomElement): string => squeezed(startOf(element, LONGEST_READ));

/** Returns the `<figure>` around a picture, or another element around the picture with a class such as `wp-caption`. */
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
