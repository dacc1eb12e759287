import {
  aroundMain,
  attribute,
  type DomElement,
  isElement,
  labelOf,
  squeezed,
  startOf,
} from '../dom.js';

/** Elements whose text is never an introduction. */
const OUTSIDE: ReadonlySet<string> = new Set(
  'nav aside form footer table ul ol dialog menu button'.split(' '),
);
const BESIDE =
  /(?:^|[\s_-])(?:authors?|by-?line|meta|metadata|share|sharing|social|related|comments?|newsletter|subscribe|subscription|promo|ads?|advert\w*|breadcrumbs?|tags?|date|toc|menu|cookies?|consent|banner|modal|popup|alert|teasers?|cards?|sponsor\w*|search|login|bio)(?:$|[\s_-])/iu;
const STANDFIRST =
  /(?:^|[\s_-])(?:standfirst|lead|lede|lead-?text|intro|introduction|sub-?title|sub-?head(?:ing|line)?|deck|dek|summary|abstract|excerpt|chapeau|vorspann|entradilla|sommario)(?:$|[\s_-])/iu;
const LEAST = { prose: 80, standfirst: 40 } as const;
const MOST_LINKED = 0.35;
const MOST_BLOCKS = 120;
const LONGEST_READ = 4_000;
const LONGEST_COMPARED = 60;
const LONGEST_START = 6_000;
const MARK = 'data-kept-at';

/**
 * The paragraphs and pictures between the headline of a page and the rest of its article. Readability often chooses an
 * element that does not contain them.
 */
export class Introduction {
  readonly #blocks: { readonly element: DomElement; readonly isTitle: boolean }[] = [];

  readonly #isAround: (element: DomElement) => boolean;

  /** Marks the first blocks of a page, so that they can be found again after Readability has changed the page. */
  constructor(body: DomElement) {
    this.#isAround = aroundMain(body);
    this.#read(body);
  }

  /** Adds the blocks before the first block of the article to the article, as far as they are below the headline. */
  addTo(article: DomElement | undefined): void {
    if (article !== undefined) {
      this.#addMissing(article);
    }
  }

  #addMissing(article: DomElement): void {
    const first = article.querySelector(`[${MARK}]`);
    const at = Number(attribute(first ?? article, MARK) || 0);
    const before = this.#blocks.slice(0, at);
    const title = before.findLastIndex(({ isTitle }) => isTitle);
    if (first === null || title < 0) {
      return;
    }
    const start = squeezed(startOf(article, LONGEST_START));
    const missing = before
      .slice(title + 1)
      .map(({ element }) => element)
      .filter((element) => isNew(element, start));
    const isProse = missing.some(({ localName }) => localName !== 'figure');
    if (isProse) {
      article.prepend(...missing);
    }
  }

  #read(parent: DomElement): void {
    for (
      let node = parent.firstChild;
      node && this.#blocks.length < MOST_BLOCKS;
      node = node.nextSibling
    ) {
      if (isElement(node) && isShown(node, this.#isAround(node))) {
        this.#look(node);
      }
    }
  }

  #look(element: DomElement): void {
    const isTitle = element.localName === 'h1';
    if (isTitle || isIntroducing(element) || isFigure(element)) {
      element.setAttribute(MARK, String(this.#blocks.length));
      this.#blocks.push({ element, isTitle });
    } else {
      this.#read(element);
    }
  }
}

const isShown = (element: DomElement, isAround: boolean): boolean =>
  !OUTSIDE.has(element.localName) &&
  !element.hasAttribute('hidden') &&
  attribute(element, 'aria-hidden') !== 'true' &&
  (isAround || !BESIDE.test(labelOf(element)));

const isFigure = (element: DomElement): boolean =>
  element.localName === 'figure' && element.querySelector('img') !== null;

const holdsBlocks = (element: DomElement): boolean =>
  [...element.children].some(({ localName }) => localName === 'p' || localName === 'div');

/** Returns true if an element is a paragraph of prose, or a subtitle or summary according to its class. */
function isIntroducing(element: DomElement): boolean {
  const isStandfirst = STANDFIRST.test(attribute(element, 'class')) && !holdsBlocks(element);
  if (element.localName !== 'p' && !(isStandfirst && /^(?:h[2-6]|div)$/u.test(element.localName))) {
    return false;
  }
  const { length } = startOf(element, LONGEST_READ).trim();
  let linked = 0;
  for (const link of element.querySelectorAll('a')) {
    linked += startOf(link, LONGEST_READ).length;
  }
  return (
    length >= (isStandfirst ? LEAST.standfirst : LEAST.prose) && linked <= MOST_LINKED * length
  );
}

const isNew = (element: DomElement, start: string): boolean =>
  isFigure(element) || !start.includes(squeezed(startOf(element, LONGEST_COMPARED)));
