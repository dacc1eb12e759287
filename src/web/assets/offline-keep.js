import { INDEX, isPage, LIST, PAGES, userOf } from './offline-pages.js';
import { at } from './own-path.js';

/** Keeps the list, the first unread articles and their pictures in the browser. */

/** @typedef {import('./offline-pages.js').OfflineItem} OfflineItem */

const PICTURES_OF_PAGE = 30;
const PICTURES = 400;
const MAX_PICTURE_BYTES = 2_000_000;
const PICTURE = /\b(?:src|href)="([\w/.~-]*\/images\/[\w/.-]+)"/g;

/** @param {OfflineItem} item */
const pathOf = ({ id }) => at(`/read/${id}`);

/**
 * Keeps the pages of an index and their pictures. Stops when `isCurrent` returns false, because the session may have
 * changed. If the storage of the browser is full, keeps the pages that fit, the first ones of the list.
 * @param {import('./offline-pages.js').OfflineIndex} index
 * @param {() => boolean} isCurrent
 */
export async function keepPages({ user, items }, isCurrent) {
  const cache = await caches.open(PAGES);
  /** @param {Response} response */
  const isOwn = (response) => isCurrent() && userOf(response) === user;
  const before = await knownItems(cache);
  /** The items of the pages that are kept, keyed by id. */
  const kept = new Map(before.map((item) => [item.id, item]));
  await removeOther(cache, items);
  try {
    const isSame = JSON.stringify(before) === JSON.stringify(items);
    if (!isSame || (await cache.match(LIST)) === undefined) {
      await keep(cache, LIST, isOwn);
    }
    await keepArticles(cache, { items, kept, isCurrent, isOwn });
    await keepPictures(cache, [LIST, ...items.map(pathOf)], isCurrent);
  } catch (error) {
    if (!isQuotaError(error)) {
      throw error;
    }
  } finally {
    await writeIndex(cache, { items, kept, isCurrent }).catch(() => undefined);
  }
}

/** @param {unknown} error */
const isQuotaError = (error) =>
  error instanceof DOMException && error.name === 'QuotaExceededError';

/**
 * @param {Cache} cache
 * @param {{
 *   items: readonly OfflineItem[];
 *   kept: Map<string, OfflineItem>;
 *   isCurrent: () => boolean;
 *   isOwn: (response: Response) => boolean;
 * }} wanted
 */
async function keepArticles(cache, { items, kept, isCurrent, isOwn }) {
  for (const item of items) {
    if (!isCurrent()) {
      return;
    }
    const isOutdated = kept.get(item.id)?.version !== item.version;
    if (isOutdated || (await cache.match(pathOf(item))) === undefined) {
      await keep(cache, pathOf(item), isOwn);
    }
    kept.set(item.id, item);
  }
}

/**
 * Writes the index of the items whose pages are kept. The offline page lists these items. If the update ended early, an
 * item has the version of the page that is kept, so that the next update fetches the page again.
 * @param {Cache} cache
 * @param {{ items: readonly OfflineItem[]; kept: ReadonlyMap<string, OfflineItem>; isCurrent: () => boolean }} wanted
 */
async function writeIndex(cache, { items, kept, isCurrent }) {
  const paths = await pathsIn(cache);
  const written = items
    .filter((item) => paths.has(pathOf(item)))
    .flatMap(({ id }) => kept.get(id) ?? []);
  if (isCurrent()) {
    await cache.put(INDEX, Response.json({ items: written }));
  }
}

/** @param {Cache} cache */
async function pathsIn(cache) {
  return new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
}

/**
 * Deletes the pages of items that are no longer among the first unread items.
 * @param {Cache} cache
 * @param {readonly OfflineItem[]} items
 */
async function removeOther(cache, items) {
  const wanted = new Set(items.map(pathOf));
  for (const path of await pathsIn(cache)) {
    if (path.startsWith(at('/read/')) && !wanted.has(path)) {
      await cache.delete(path);
    }
  }
}

/**
 * Returns the items whose pages were kept by the last update.
 * @param {Cache} cache
 * @returns {Promise<OfflineItem[]>}
 */
async function knownItems(cache) {
  const response = await cache.match(INDEX);
  /** @type {unknown} */
  const index = await response?.json();
  return /** @type {{ items: OfflineItem[] }} */ (index ?? { items: [] }).items;
}

/**
 * @param {Cache} cache
 * @param {string} path
 * @param {(response: Response) => boolean} isOwn
 */
async function keep(cache, path, isOwn) {
  const response = await fetch(path, { redirect: 'manual', headers: { Accept: 'text/html' } });
  if (isPage(response) && isOwn(response)) {
    await cache.put(path, response);
  }
}

/**
 * Keeps the pictures of the pages, and deletes pictures that are no longer needed.
 * @param {Cache} cache
 * @param {readonly string[]} paths
 * @param {() => boolean} isCurrent
 */
async function keepPictures(cache, paths, isCurrent) {
  const pictures = [];
  for (const path of paths) {
    pictures.push(...(await picturesOf(cache, path)));
  }
  const wanted = new Set(pictures.slice(0, PICTURES));
  const there = await pathsIn(cache);
  for (const path of there) {
    if (path.startsWith(at('/images/')) && !wanted.has(path)) {
      await cache.delete(path);
    }
  }
  for (const path of wanted) {
    if (!there.has(path)) {
      await keepPicture(cache, path, isCurrent);
    }
  }
}

/**
 * @param {Cache} cache
 * @param {string} path
 */
async function picturesOf(cache, path) {
  const response = await cache.match(path);
  const html = (await response?.text()) ?? '';
  return Array.from(html.matchAll(PICTURE), ([, src = '']) => src)
    .filter((src) => src.startsWith(at('/images/')))
    .slice(0, PICTURES_OF_PAGE);
}

/**
 * @param {Cache} cache
 * @param {string} path
 * @param {() => boolean} isCurrent
 */
async function keepPicture(cache, path, isCurrent) {
  const response = await fetch(path);
  const bytes = await response.blob();
  if (response.ok && bytes.size <= MAX_PICTURE_BYTES && isCurrent()) {
    await cache.put(path, new Response(bytes, { headers: { 'Content-Type': bytes.type } }));
  }
}
