import { attribute, type DomDocument, type DomElement, labelOf, parseDocument } from '../dom.js';

const ARTICLES = 'main, article, [itemprop="articleBody"]';
/** Hidden parts of these elements are shown on demand or never. */
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
 * Returns the hidden elements among the articles, the headlines and their ancestors. Headlines are ignored if one of
 * them is already shown.
 */
function hiddenAround({ body }: DomDocument): ReadonlySet<DomElement> {
  const headlines = [...body.querySelectorAll('h1')].map((headline) => hiddenPath(headline, body));
  const articles = [...body.querySelectorAll(ARTICLES)].map((article) => hiddenPath(article, body));
  const isHeadlineShown = headlines.some((path) => path?.length === 0);
  return new Set(
    [...articles, ...(isHeadlineShown ? [] : headlines)].flatMap((path) => path ?? []),
  );
}

/** Returns the hidden ones among an element and its ancestors; undefined if the element is in a dialog. */
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
