import { notify } from './notices.js';
import { quoteHtml, quoteText } from './quote-text.js';
import { t } from './text.js';

/**
 * Copies a quote with the source that the page declares for the element. Shows a notice with the result.
 * @param {string} quote
 * @param {Element} element An element of the item that contains the quote.
 */
export async function copyQuote(quote, element) {
  const source = sourceOf(element);
  const text = quoteText(t('scripts.quoted', { quote }), source);
  const isCopied = await copied({ text, html: quoteHtml(quote, source) });
  notify(t(isCopied ? 'scripts.copied' : 'scripts.copyFailed'), undefined);
}

/** Shows the buttons that copy a highlight of a list. Without scripts, they are hidden. */
export function offerQuotes() {
  for (const button of document.querySelectorAll('[data-copy-quote]')) {
    if (button instanceof HTMLElement) {
      button.hidden = false;
    }
  }
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('[data-copy-quote]') : null;
    const quote = button?.closest('li')?.querySelector('blockquote')?.textContent;
    if (button && quote) {
      void copyQuote(quote, button);
    }
  });
}

/**
 * @param {Element} element
 * @returns {import('./quote-text.js').QuoteSource}
 */
function sourceOf(element) {
  const item =
    element.closest('[data-quote-title]') ?? document.querySelector('[data-quote-title]');
  /** @param {string} name */
  const text = (name) => item?.getAttribute(`data-quote-${name}`) ?? '';
  return { title: text('title'), by: text('by'), url: text('url') };
}

/** @typedef {{ readonly text: string, readonly html: string }} Copy */

/**
 * Copies a text in two formats. Returns false if the browser does not allow it.
 * @param {Copy} copy
 */
export async function copied(copy) {
  if (!window.isSecureContext) {
    return copiedByCommand(copy);
  }
  try {
    const { text, html } = copy;
    await navigator.clipboard.write([
      new ClipboardItem({
        'text/plain': new Blob([text], { type: 'text/plain' }),
        'text/html': new Blob([html], { type: 'text/html' }),
      }),
    ]);
    return true;
  } catch {
    return navigator.clipboard.writeText(copy.text).then(
      () => true,
      () => false,
    );
  }
}

/**
 * Over plain HTTP, browsers only copy a selection, so this selects a text for a moment.
 * @param {Copy} copy
 */
function copiedByCommand({ text, html }) {
  const place = document.createElement('span');
  place.textContent = text;
  document.body.append(place);
  getSelection()?.selectAllChildren(place);
  document.addEventListener(
    'copy',
    (event) => {
      event.clipboardData?.setData('text/plain', text);
      event.clipboardData?.setData('text/html', html);
      event.preventDefault();
    },
    { once: true },
  );
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- browsers have no other way over plain HTTP
  const isCopied = document.execCommand('copy');
  place.remove();
  return isCopied;
}
