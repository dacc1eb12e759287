/**
 * The source of a quote. An empty text is left out.
 * @typedef {{ readonly title: string, readonly by: string, readonly url: string }} QuoteSource
 */

/**
 * Returns a quote with its source as plain text.
 * @param {string} quoted The quote in quotation marks.
 * @param {QuoteSource} source
 */
export function quoteText(quoted, { title, by, url }) {
  const source = [title, by].filter((part) => part !== '').join(', ');
  return [quoted, source && `— ${source}`, url].filter((line) => line !== '').join('\n');
}

/**
 * Returns a quote with its source as HTML, for editors that keep formatting.
 * @param {string} quote The quote without quotation marks.
 * @param {QuoteSource} source
 */
export function quoteHtml(quote, { title, by, url }) {
  const name = title || url;
  const link = url === '' ? escaped(name) : `<a href="${escaped(url)}">${escaped(name)}</a>`;
  const source = [link, escaped(by)].filter((part) => part !== '').join(', ');
  const cite = url === '' ? '' : ` cite="${escaped(url)}"`;
  const words = quote.split(/\r?\n/).map(escaped).join('<br>');
  return `<blockquote${cite}><p>${words}</p></blockquote>${source && `<p>— ${source}</p>`}`;
}

/** @param {string} text */
const escaped = (text) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
