import { type DomElement, labelOf, lineOf, squeezed } from '../dom/dom.js';

export interface Caption {
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
export function captionOf(image: DomElement): Caption {
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
