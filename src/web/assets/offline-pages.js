import { owner } from './offline-queue.js';
import { at, BASE } from './own-path.js';

/** The prefix of the cache names of this service. Other services on the same host have a different prefix. */
export const CACHES = `satchel${BASE}-`;
/** The name of the cache for style sheets, scripts, icons and the offline page. They are the same for all users. */
export const SHELL = `${CACHES}shell-1`;
/** The name of the cache for the pages of one user and their pictures. */
export const PAGES = `${CACHES}pages-1`;
/** The path of the index, which lists the pages to keep. */
export const INDEX = at('/list/offline.json');
export const OFFLINE_PAGE = at('/offline');
const LIST = at('/list');

const PICTURES_OF_PAGE = 30;
const PICTURES = 400;
const MAX_PICTURE_BYTES = 2_000_000;
const PICTURE = /\b(?:src|href)="([\w/.~-]*\/images\/[\w/-]+)"/g;

/**
 * @typedef {{ id: string, version: string, title: string, site: string }} OfflineItem
 * @typedef {{ user: string, csrfToken: string, items: OfflineItem[] }} OfflineIndex
 */

/**
 * Returns the id of the user to whom a page belongs. Null for pages that are the same for all users.
 * @param {Response} response
 */
export const userOf = ({ headers }) => headers.get('Satchel-User');

/** @param {OfflineItem} item */
const pathOf = ({ id }) => at(`/read/${id}`);

/** @param {Response} response */
const isPage = (response) =>
  response.ok &&
  response.type === 'basic' &&
  !response.redirected &&
  (response.headers.get('content-type') ?? '').startsWith('text/html');

/**
 * Keeps the pages of an index and their pictures. Stops when `isCurrent` returns false, because the session may have
 * changed.
 * @param {OfflineIndex} index
 * @param {() => boolean} isCurrent
 */
export async function keepPages({ user, items }, isCurrent) {
  const cache = await caches.open(PAGES);
  /** @param {Response} response */
  const isOwn = (response) => isCurrent() && userOf(response) === user;
  const before = await knownItems(cache);
  const versions = new Map(before.map((item) => [item.id, item.version]));
  for (const item of items) {
    if (!isCurrent()) {
      return;
    }
    if (versions.get(item.id) !== item.version || (await cache.match(pathOf(item))) === undefined) {
      await keep(cache, pathOf(item), isOwn);
    }
  }
  const isSame = JSON.stringify(before) === JSON.stringify(items);
  if (!isSame || (await cache.match(LIST)) === undefined) {
    await keep(cache, LIST, isOwn);
  }
  if (isCurrent()) {
    await cache.put(INDEX, Response.json({ items }));
    await keepPictures(cache, [LIST, ...items.map(pathOf)], isCurrent);
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
 * Keeps the pictures of the pages, and deletes pages and pictures that are no longer needed.
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
  const kept = new Set([INDEX, ...paths, ...wanted]);
  for (const request of await cache.keys()) {
    if (!kept.has(new URL(request.url).pathname)) {
      await cache.delete(request);
    }
  }
  for (const path of wanted) {
    if ((await cache.match(path)) === undefined) {
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

/**
 * Returns the page from the network. Without a network, returns the kept page or the offline page. A page from the
 * network replaces the kept page if both belong to the same user.
 * @param {Request} request
 * @param {(response: Response) => Promise<boolean>} isOfOwner
 */
export async function page(request, isOfOwner) {
  const { pathname, search } = new URL(request.url);
  /** @type {Response} */
  let response;
  try {
    response = await fetch(request);
  } catch {
    return ((await isSure()) ? await keptPage(pathname) : undefined) ?? noNetwork();
  }
  if (isPage(response) && (await isOfOwner(response).catch(() => false)) && search === '') {
    // Ignore errors of the cache. The page is shown even if it cannot be stored.
    await renew(pathname, response.clone()).catch(() => undefined);
  }
  return response;
}

/**
 * Returns true if the user of the kept pages is confirmed. Returns false if the storage of the browser fails, for
 * example because it is full.
 */
const isSure = () =>
  owner().then(
    (known) => known?.isSure === true,
    () => false,
  );

/** @param {string} path */
async function keptPage(path) {
  const cache = await caches.open(PAGES);
  return cache.match(path);
}

/** Returns the offline page. */
export const noNetwork = async () => (await caches.match(OFFLINE_PAGE)) ?? Response.error();

/**
 * @param {string} path
 * @param {Response} response
 */
async function renew(path, response) {
  const cache = await caches.open(PAGES);
  if (path === LIST || (await cache.match(path)) !== undefined) {
    await cache.put(path, response);
  }
}

/**
 * Returns a style sheet, script or icon from the network. Without a network, returns the file from the cache.
 * @param {Request} request
 */
export async function shell(request) {
  try {
    const response = await fetch(request);
    if (response.ok) {
      const cache = await caches.open(SHELL);
      await cache.put(request, response.clone());
    }
    return response;
  } catch {
    return (await caches.match(request)) ?? Response.error();
  }
}

/**
 * Returns a picture from the cache, or else from the network. A cached picture is never stale, because a changed
 * picture has a new address.
 * @param {Request} request
 */
export async function picture(request) {
  const cache = await caches.open(PAGES);
  return (await cache.match(request)) ?? fetch(request);
}
