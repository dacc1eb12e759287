import { changesOf, owner } from './offline-queue.js';
import { at, BASE } from './own-path.js';
import { language } from './text.js';

/** The prefix of the cache names of this service. Other services on the same host have a different prefix. */
export const CACHES = `satchel${BASE}-`;
/** The name of the cache for style sheets, scripts, icons and the offline page. They are the same for all users. */
export const SHELL = `${CACHES}shell-1`;
/** The name of the cache for the pages of one user and their pictures. */
export const PAGES = `${CACHES}pages-1`;
/** The path of the index, which lists the pages to keep. */
export const INDEX = at('/list/offline.json');
export const LIST = at('/list');
const OFFLINE_PAGE = at('/offline');
/** The address of the offline page that also says that a change could not be queued (offline-list.js). */
export const NOT_QUEUED = `${OFFLINE_PAGE}#full`;
/** The pages that are shown without a network instead of other pages. The keys are the paths of the other pages. */
const STAND_INS = new Map([
  [at('/save'), at('/offline/save')],
  [at('/list/tags'), at('/offline/tags')],
]);
/** The pages without a network that are the same for all users. */
export const OFFLINE_PAGES = [OFFLINE_PAGE, ...STAND_INS.values()];
/** Parameters of the list that only show the notice about the last action. */
const NOTICE = new Set(['done', 'items', 'count', 'more']);

/**
 * @typedef {{ id: string, version: string, title: string, site: string, tags: string[] }} OfflineItem
 * @typedef {{ user: string, csrfToken: string, items: OfflineItem[] }} OfflineIndex
 */

/**
 * Returns the id of the user to whom a page belongs. Null for pages that are the same for all users.
 * @param {Response} response
 */
export const userOf = ({ headers }) => headers.get('Satchel-User');

/** @param {Response} response */
export const isPage = (response) =>
  response.ok &&
  response.type === 'basic' &&
  !response.redirected &&
  (response.headers.get('content-type') ?? '').startsWith('text/html');

/**
 * Returns the page from the network. Without a network, returns the kept page or the offline page. A page from the
 * network replaces the kept page if both belong to the same user.
 * @param {Request} request
 * @param {(response: Response) => Promise<boolean>} isOfOwner
 */
export async function page(request, isOfOwner) {
  const url = new URL(request.url);
  /** @type {Response} */
  let response;
  try {
    response = await fetch(request);
  } catch {
    return ((await isSure()) ? await keptPage(url) : undefined) ?? noNetwork(url);
  }
  if (isPage(response) && (await isOfOwner(response).catch(() => false)) && url.search === '') {
    // Ignore errors of the cache. The page is shown even if it cannot be stored.
    await renew(url.pathname, response.clone()).catch(() => undefined);
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

/** The hash and the language in the name of a file, such as `.0a1b2c3d4e-de` in `list.0a1b2c3d4e-de.js`. */
const HASH = /\.[\da-f]{10}(?:-[A-Za-z\d-]+)?(?=\.\w+$)/;
const ADDRESS = /(?<=(?:src|href)=")[^"]+(?=")/g;

/** @param {string} path */
const unhashed = (path) => path.replace(HASH, '');

/**
 * Returns a kept page. The page may be older than the cached style sheets and scripts, so their names are updated. The
 * address of an article may name the list that links to it. Of the list, only the unread items are kept.
 * @param {URL} url
 */
async function keptPage({ pathname, searchParams }) {
  const isOtherView = [...searchParams].some(([name, value]) => value !== '' && !NOTICE.has(name));
  const cache = await caches.open(PAGES);
  const kept = pathname === LIST && isOtherView ? undefined : await cache.match(pathname);
  if (kept === undefined) {
    return undefined;
  }
  const files = new Map((await shellPaths()).map((file) => [unhashed(file), file]));
  const html = await kept.text();
  const current = html.replaceAll(ADDRESS, (address) => files.get(unhashed(address)) ?? address);
  return new Response(await withPlace(pathname, current), { headers: kept.headers });
}

const PLACE = /data-fraction="[^"]*"(?:\s+data-paragraph="[^"]*")?/;

/**
 * Returns the HTML of an article with the reading position that is still queued.
 * @param {string} path
 * @param {string} html
 */
async function withPlace(path, html) {
  const known = await owner();
  const changes = known === undefined ? [] : await changesOf(known.user);
  const queued = changes.find((change) => at(change.path ?? '') === `${path}/position`);
  const fields = new URLSearchParams(queued?.body);
  const [fraction, paragraph] = ['fraction', 'paragraph'].map((name) => Number(fields.get(name)));
  return fields.has('fraction') && fields.has('paragraph')
    ? html.replace(PLACE, `data-fraction="${fraction}" data-paragraph="${paragraph}"`)
    : html;
}

/** Returns the paths of the cached style sheets, scripts and icons. */
async function shellPaths() {
  const cache = await caches.open(SHELL);
  return (await cache.keys()).map(({ url }) => new URL(url).pathname);
}

/**
 * Returns the page that is shown without a network, if the page at an address is not kept.
 * @param {{ pathname: string }} url
 */
export async function noNetwork({ pathname } = { pathname: OFFLINE_PAGE }) {
  const cache = await caches.open(SHELL);
  const standIn = STAND_INS.get(pathname) ?? pathname;
  const shown = OFFLINE_PAGES.includes(standIn) ? standIn : OFFLINE_PAGE;
  return (await cache.match(shown)) ?? Response.error();
}

/**
 * Caches an offline page in the language of this worker, which is the language of the user.
 * @param {string} path
 */
export async function keepOfflinePage(path) {
  const response = await fetch(path, { headers: { 'Accept-Language': language } });
  if (isPage(response)) {
    const cache = await caches.open(SHELL);
    await cache.put(path, response);
  }
}

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

/** @param {Response} response */
const isUnchanging = ({ headers }) => (headers.get('cache-control') ?? '').includes('immutable');

/**
 * Returns a style sheet, script or icon from the cache, or else from the network. Only files whose names contain a hash
 * are cached, because their content never changes.
 * @param {Request} request
 */
export async function shell(request) {
  const cache = await caches.open(SHELL);
  const kept = await cache.match(request);
  if (kept !== undefined) {
    return kept;
  }
  const response = await fetch(request);
  if (response.ok && isUnchanging(response)) {
    await cache.put(request, response.clone());
  }
  return response;
}

/**
 * Deletes the files of earlier versions from the cache.
 * @param {readonly string[]} paths the paths of the files to keep
 */
export async function keepOnly(paths) {
  const cache = await caches.open(SHELL);
  for (const path of await shellPaths()) {
    if (!paths.includes(path)) {
      await cache.delete(path);
    }
  }
}

/** The end of the address of a large thumbnail. The cache has only the small one. */
const LARGE = /\/large$/;

/**
 * Returns a picture from the cache, or else from the network. A cached picture is never stale, because a changed
 * picture has a new address.
 * @param {Request} request
 */
export async function picture(request) {
  const cache = await caches.open(PAGES);
  const small = () => cache.match(request.url.replace(LARGE, ''));
  return (
    (await cache.match(request)) ??
    (await fetch(request).catch(async () => (await small()) ?? Response.error()))
  );
}
