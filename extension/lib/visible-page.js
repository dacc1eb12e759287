/** The server's length limit for the HTML of a page, in UTF-16 code units. */
const MAX_LENGTH = 2_000_000;

/**
 * Returns the HTML of the page in a tab. Returns undefined if the HTML is too long, or if the browser denies access.
 * Browsers deny access to their own pages and to PDFs.
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
 * Returns the HTML of the current page. If the HTML is longer than the limit, leaves out elements that the server
 * ignores. The browser runs a copy of this function inside the page, so the function cannot use other functions or
 * constants of this file.
 * @param {number} limit
 */
function visibleHtml(limit) {
  const ignored = 'script:not([type="application/ld+json"]),style,svg,canvas,template,iframe';
  const written = (/** @type {HTMLElement} */ root) =>
    root.outerHTML.replaceAll('\0', '').replaceAll(/\p{Surrogate}/gu, '\uFFFD');
  const whole = written(document.documentElement);
  if (document.contentType !== 'text/html' && document.contentType !== 'application/xhtml+xml') {
    return undefined;
  }
  if (whole.length <= limit) {
    return whole;
  }
  // Removes the ignored elements from a copy of the page, so that the visible page does not change.
  const copy = new DOMParser().parseFromString(whole, 'text/html').documentElement;
  for (const element of copy.querySelectorAll(ignored)) {
    element.remove();
  }
  const shorter = written(copy);
  return shorter.length <= limit ? shorter : undefined;
}
