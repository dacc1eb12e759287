import { attribute, type DomDocument, type DomElement, labelOf, parseDocument } from '../dom.js';

const ARTICLES = 'main, article, [itemprop="articleBody"]';
/**
 * Matches the classes of dialogs and similar elements, which pages show only on demand. An article in such an element
 * stays hidden.
 */
const DIALOG =
  /(?:^|[\s_-])(?:modal|dialog|pop-?up|consent|cookies?|overlay|lightbox|gdpr)(?:$|[\s_-])/iu;

/**
 * Returns the HTML of a page with its hidden article made visible. Some pages hide the article until a script runs, for
 * example to fade it in. Returns undefined if no article is hidden.
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
 * Returns the hidden elements that are or contain an article or a headline. Ignores hidden headlines if the page also
 * has a visible headline.
 */
function hiddenAround({ body }: DomDocument): ReadonlySet<DomElement> {
  const headlines = [...body.querySelectorAll('h1')].map((headline) => hiddenPath(headline, body));
  const articles = [...body.querySelectorAll(ARTICLES)].map((article) => hiddenPath(article, body));
  const isHeadlineShown = headlines.some((path) => path?.length === 0);
  return new Set(
    [...articles, ...(isHeadlineShown ? [] : headlines)].flatMap((path) => path ?? []),
  );
}

/**
 * Returns the hidden elements among an element and its ancestors. Returns undefined if one of these elements is a
 * dialog.
 */
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
