/** The service takes no more of a page, in UTF-16 units. */
const MAX_LENGTH = 2_000_000;

/**
 * The page of a tab as HTML; undefined where the browser does not hand it out, as of its own pages and of PDFs, or
 * where it is too long.
 * @param {number} tabId
 */
export async function pageOf(tabId) {
  try {
    const [read] = await chrome.scripting.executeScript({
      target: { tabId },
      func: visibleHtml,
      args: [MAX_LENGTH],
    });
    return read?.result ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * Runs in the page, by itself. What is not read anyway is left out where the page is too long with it.
 * @param {number} limit
 */
function visibleHtml(limit) {
  const unread = 'script:not([type="application/ld+json"]),style,svg,canvas,template,iframe';
  const written = (/** @type {HTMLElement} */ root) =>
    root.outerHTML.replaceAll('\0', '').replaceAll(/\p{Surrogate}/gu, '\uFFFD');
  const whole = written(document.documentElement);
  if (document.contentType !== 'text/html' && document.contentType !== 'application/xhtml+xml') {
    return undefined;
  }
  if (whole.length <= limit) {
    return whole;
  }
  // A document of its own: nothing of it is loaded or run.
  const copy = new DOMParser().parseFromString(whole, 'text/html').documentElement;
  for (const element of copy.querySelectorAll(unread)) {
    element.remove();
  }
  const shorter = written(copy);
  return shorter.length <= limit ? shorter : undefined;
}
