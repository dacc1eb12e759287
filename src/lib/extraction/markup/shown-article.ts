import { attribute, type DomDocument, type DomElement, labelOf, parseDocument } from '../dom.js';

const ARTICLES = 'main, article, [itemprop="articleBody"]';
/** Matches classes of elements that pages show on demand or never. An article in such an element stays hidden. */
const DIALOG =
  /(?:^|[\s_-])(?:modal|dialog|pop-?up|consent|cookies?|overlay|lightbox|gdpr)(?:$|[\s_-])/iu;

/**
 * Reveals an article that is hidden until a script runs, as on pages that fade in. Returns undefined if no article is
 * hidden.
 */
export function withHidden(html: string): string | undefined {
  if (!html.includes(' hidden=""')) {
    return undefined;
  }
  const document = parseDocument(html);
  const hidden = hiddenAround(document);
  hidden.forEach((element) => {
    element.removeAttribute('hidden');
    element.removeAttribute('aria-hidden');
  });
  return hidden.size > 0 ? document.toString() : undefined;
}

/**
 * Returns the hidden elements among the articles, the headlines and their ancestors. Ignores headlines if a headline is
 * already visible.
 */
function hiddenAround({ body }: DomDocument): ReadonlySet<DomElement> {
  const headlines = [...body.querySelectorAll('h1')].map((headline) => hiddenPath(headline, body));
  const articles = [...body.querySelectorAll(ARTICLES)].map((article) => hiddenPath(article, body));
  const isHeadlineShown = headlines.some((path) => path?.length === 0);
  return new Set(
    [...articles, ...(isHeadlineShown ? [] : headlines)].flatMap((path) => path ?? []),
  );
}

/** Returns all hidden elements among an element and its ancestors. Returns undefined if the element is in a dialog. */
function hiddenPath(element: DomElement, body: DomElement): DomElement[] | undefined {
  const hidden: DomElement[] = [];
  for (let at: DomElement | null = element; at && at !== body; at = at.parentElement) {
    if (isDialog(at)) {
      return undefined;
    }
    if (at.hasAttribute('hidden')) {
      hidden.push(at);
    }
  }
  return hidden;
}

const isDialog = (element: DomElement): boolean =>
  /dialog/u.test(attribute(element, 'role')) ||
  attribute(element, 'aria-modal') === 'true' ||
  DIALOG.test(labelOf(element));
