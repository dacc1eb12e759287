import { owner } from './offline-queue.js';
import { at, BASE } from './own-path.js';

/** The names of the caches of this service begin with it; others of the same host have their own. */
export const CACHES = `satchel${BASE}-`;
/** Style sheets, scripts, icons and the page that says that there is no network: the same for all users. */
export const SHELL = `${CACHES}shell-1`;
/** Pages of one user, and their pictures. */
export const PAGES = `${CACHES}pages-1`;
/** What the pages are, as the service has told last. */
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

/** The user to whom a page belongs, as the service names them; null for pages that are the same for everybody. @param {Response} response */
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
 * Keeps the pages of an index, and what they show; `isCurrent` tells whether they are still those of the user.
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
 * The items of the last time.
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
 * Pictures come and go with their pages.
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
 * The page from the network. Without a network: the kept page, or one that says that there is no network. A page from
 * the network replaces the kept one if it belongs to the same user.
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
    // A page that cannot be kept is shown all the same.
    await renew(pathname, response.clone()).catch(() => undefined);
  }
  return response;
}

/** False also where the browser cannot say, such as one without room. */
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

/** The page that says so. */
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
 * A part of the shell: the newest that can be had.
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
 * A picture never changes: its address is that of its content.
 * @param {Request} request
 */
export async function picture(request) {
  const cache = await caches.open(PAGES);
  return (await cache.match(request)) ?? fetch(request);
}
