import { Problem } from '../problem.js';
import { isObject } from '../service.js';
import { text } from '../texts.js';
import { loaderFor } from './loading.js';
import { inlinedStyles } from './styles.js';

/** @typedef {import('./copied-page.js').CopiedPage} CopiedPage */
/** @typedef {import('./copied-page.js').SnapshotPart} SnapshotPart */

/** A page as one HTML document. `isPartial` is true if a picture, a style sheet or a frame is missing. */
/** @typedef {{ html: string, isPartial: boolean }} Snapshot */

/** The file that runs inside the page, relative to the folder of the extension. */
const PAGE_COPY = 'lib/snapshot/page-copy.js';

/**
 * The maximum size of a snapshot in bytes, unless the server has a lower limit. The server's default limit is 10 MB, and
 * the limit of a body is 12 MB.
 */
const MAX_BYTES = 9_500_000;

/**
 * Reads the page in a tab. The function `within` returns a snapshot of this page with a maximum size in bytes. Parts that
 * would make it too large are left out.
 * @param {number} tabId
 * @returns {Promise<{ within: (maxBytes?: number) => Snapshot }>}
 * @throws {Problem} if the browser denies access to the page
 */
export async function snapshotOf(tabId) {
  const page = await copyFrom(tabId);
  const load = loaderFor(tabId);
  const texts = await Promise.all(page.parts.map((part) => textOf(part, load)));
  return { within: (maxBytes = MAX_BYTES) => assembled(page, texts, maxBytes) };
}

/**
 * @param {CopiedPage} page
 * @param {readonly (string | undefined)[]} texts The texts for the places of the parts.
 * @param {number} maxBytes
 * @returns {Snapshot}
 * @throws {Problem} if the page itself is too large
 */
export function assembled(page, texts, maxBytes) {
  let { omitted } = page;
  let room = maxBytes - bytesOf(page.html);
  if (room < 0) {
    throw new Problem(text('problem.snapshotTooLarge'));
  }
  const html = page.html.replaceAll(new RegExp(`${page.token}(\\d+);`, 'g'), (_, number) => {
    const written = texts[Number(number)];
    const bytes = bytesOf(written ?? '');
    if (written === undefined || bytes > room) {
      omitted += 1;
      return '';
    }
    room -= bytes;
    return written;
  });
  return { html, isPartial: omitted > 0 };
}

/**
 * @param {number} tabId
 * @returns {Promise<CopiedPage>}
 */
async function copyFrom(tabId) {
  try {
    const [read] = await chrome.scripting.executeScript({ target: { tabId }, files: [PAGE_COPY] });
    if (isObject(read?.result)) {
      return /** @type {CopiedPage} */ (/** @type {unknown} */ (read.result));
    }
  } catch {
    // The browser denies access to its own pages.
  }
  throw new Problem(text('problem.snapshotUnreadable'));
}

/** @param {string} written */
const bytesOf = (written) => new TextEncoder().encode(written).length;

/**
 * Returns the text for the place of a part. Returns undefined if the part cannot be loaded.
 * @param {SnapshotPart} part
 * @param {ReturnType<typeof loaderFor>} load
 */
async function textOf({ kind, url, css }, load) {
  if (kind === 'picture') {
    return (await load(url)).data;
  }
  const styles = kind === 'sheet' ? ((await load(url)).text ?? css) : css;
  const loader = {
    data: async (/** @type {string} */ address) => (await load(address)).data,
    sheet: async (/** @type {string} */ address) => (await load(address)).text,
  };
  const inlined = await inlinedStyles(styles, url, loader);
  return kind === 'attribute'
    ? inlined.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
    : inlined.replaceAll('</', String.raw`<\/`);
}
