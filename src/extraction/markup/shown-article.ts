import { type DomDocument, type DomElement, parseDocument } from '../dom.js';

/** What an article is marked by; the words of a dialog that waits to be shown are in none of these. */
const ARTICLES = 'main, article, h1, [itemprop="articleBody"]';

/**
 * The page with its article shown that is hidden until a script runs, as by pages that fade in; undefined where no article
 * is hidden.
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

/** What is hidden of the elements that an article is, or stands in. */
function hiddenAround({ body }: DomDocument): ReadonlySet<DomElement> {
  const seen = new Set<DomElement>();
  const hidden = new Set<DomElement>();
  for (const article of body.querySelectorAll(ARTICLES)) {
    for (let at: DomElement | null = article; at && !seen.has(at); at = at.parentElement) {
      seen.add(at);
      if (at.hasAttribute('hidden')) {
        hidden.add(at);
      }
    }
  }
  return hidden;
}
