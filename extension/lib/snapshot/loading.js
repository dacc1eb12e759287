/**
 * A loaded file: a picture or a font as a `data:` address, or the text of a style sheet.
 * @typedef {{ data?: string, text?: string }} Loaded
 */

/** The maximum size of one picture, font or style sheet, in bytes. */
const MAX_BYTES = 2_000_000;
const PATIENCE_MS = 15_000;

/**
 * Returns a function that loads a file. The page in the tab tries first, because it may load files of its own site that
 * need a login. The extension tries next, because pages cannot read the pictures of most other sites.
 * @param {number} tabId
 * @returns {(url: string) => Promise<Loaded>}
 */
export function loaderFor(tabId) {
  /** @type {Map<string, Promise<Loaded>>} */
  const known = new Map();
  return (url) => {
    const loading = known.get(url) ?? load(tabId, url);
    known.set(url, loading);
    return loading;
  };
}

/**
 * @param {number} tabId
 * @param {string} url
 * @returns {Promise<Loaded>}
 */
async function load(tabId, url) {
  if (!/^(?:https?|blob):/i.test(url)) {
    return {};
  }
  try {
    const [read] = await chrome.scripting.executeScript({
      target: { tabId },
      func: fetchFile,
      args: [url, 'same-origin', MAX_BYTES, PATIENCE_MS],
    });
    if (read?.result !== undefined && Object.keys(read.result).length > 0) {
      return read.result;
    }
  } catch {
    // The page has closed.
  }
  return fetchFile(url, 'omit', MAX_BYTES, PATIENCE_MS);
}

/**
 * Fetches a picture, a font or a style sheet. Returns nothing for other files, so that a page cannot add files of
 * another server to a snapshot. The browser runs a copy of this function inside the page, so the function cannot use
 * other functions or constants of this file.
 * @param {string} url
 * @param {RequestCredentials} credentials
 * @param {number} limit
 * @param {number} patienceMs
 * @returns {Promise<Loaded>}
 */
async function fetchFile(url, credentials, limit, patienceMs) {
  try {
    const signal = AbortSignal.timeout(patienceMs);
    const response = await fetch(url, { credentials, cache: 'force-cache', signal });
    const blob = await response.blob();
    if (!response.ok || blob.size > limit) {
      return {};
    }
    if (/^text\/css\b/i.test(blob.type)) {
      return { text: await blob.text() };
    }
    const isKnown = /^(?:image|font)\/|^application\/(?:x-)?font/i.test(blob.type);
    if (!isKnown && !/\.(?:woff2?|ttf|otf)(?:$|[?#])/i.test(url)) {
      return {};
    }
    return await new Promise((resolve) => {
      const reader = new FileReader();
      reader.onload = () => {
        resolve({ data: typeof reader.result === 'string' ? reader.result : '' });
      };
      reader.onerror = () => {
        resolve({});
      };
      reader.readAsDataURL(blob);
    });
  } catch {
    return {};
  }
}
