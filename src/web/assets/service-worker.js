import { act, dismiss, hasQueued, queueOfPage, sendChanges } from './offline-changes.js';
import { keepPages } from './offline-keep.js';
import {
  CACHES,
  keepOfflinePage,
  keepOnly,
  OFFLINE_PAGES,
  page,
  PAGES,
  picture,
  SHELL,
  shell,
} from './offline-pages.js';
import { owner } from './offline-queue.js';
import { formAt, SAVE } from './offline-requests.js';
import * as session from './offline-session.js';
import { at, ownPath } from './own-path.js';

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

/** The files of the pages that this worker keeps. The service replaces each name with the name that has a hash. */
const SHELL_FILES = [
  ...['./style.css', './reader.css', './list.css', './article.css', './save.css'],
  ...['./list-more.css', './list-compact.css', './list-cards.css', './icon.svg'],
  ...['./offline.js', './offline-notice.js', './offline-list.js', './offline-save.js'],
  ...['./offline-tags.js', './list.js', './list-more.js', './keys-help.js', './article.js'],
];
/** The files that this worker keeps only after a page has used them, because most users choose another typeface. */
const OPTIONAL_FILES = [
  './atkinson-hyperlegible-next-latin-400-italic.woff2',
  './atkinson-hyperlegible-next-latin-400-normal.woff2',
  './atkinson-hyperlegible-next-latin-700-normal.woff2',
  './atkinson-hyperlegible-next-latin-ext-400-normal.woff2',
  './atkinson-hyperlegible-next-latin-ext-700-normal.woff2',
];
/** @param {string} name */
const pathOf = (name) => new URL(name, import.meta.url).pathname;
const SHELL_PARTS = [...OFFLINE_PAGES, ...SHELL_FILES.map(pathOf)];
/** The minimum time between two updates of the kept pages. */
const KEEP_EVERY_MS = 60_000;
/**
 * Paths whose requests the worker does not handle: paths outside this service, and paths that other sites may link to.
 * The service must see which site sends such a request (docs/decisions/0058).
 */
const UNTOUCHED = /^(?:$|\/(?:save|auth|v3)(?:$|\/))/;

/** The paths of forms that log out a user or delete an account. */
const LEAVING = /^\/(?:auth\/leave|account\/sign-out|account\/delete)$/;
/** The paths of forms that log in a user. The user may differ from the previous user. */
const LOGIN_FORM = /^\/(?:auth\/(?:login|register|reset|verify)(?:\/|$)|wallabag\/login_check$)/;
/** The path at which a login with an issuer ends. */
const ISSUER_CALLBACK = '/auth/oidc/callback';
const SAVED = '/save/done';

/** The time of the last update of the kept pages, and a function that returns true while the session is the same. */
let kept = { atMs: 0, isCurrent: () => false };
/** True if a page was saved after the last update of the kept pages began. */
let hasNewItem = false;
/** @type {Promise<void> | undefined} */
let keeping;

/**
 * Confirms the user of the session, sends the queued changes, and keeps the pages of the user. Starts again if the
 * session has changed, because callers of `keepOnce` may wait for the pages of the new session.
 * @returns {Promise<void>}
 */
async function keep() {
  hasNewItem = false;
  const confirmed = await session.confirmOwner();
  if (confirmed === undefined) {
    return;
  }
  // The items of the index are outdated after a change was sent.
  const isOutdated = (await sendChanges(confirmed.index)) > 0;
  const { index, isCurrent } = (isOutdated ? await session.confirmOwner() : undefined) ?? confirmed;
  kept = { atMs: performance.now(), isCurrent };
  await keepPages(index, isCurrent);
  if (!isCurrent()) {
    await keep();
  }
}

/** Runs `keep`. If `keep` is already running, waits for this run instead. */
function keepOnce() {
  keeping ??= keep().finally(() => {
    keeping = undefined;
  });
  return keeping;
}

async function keepIfDue() {
  const isRecent = kept.isCurrent() && performance.now() - kept.atMs < KEEP_EVERY_MS;
  const known = await owner();
  const isSure = known?.isSure === true;
  if (!isRecent || hasNewItem || !isSure || (await hasQueued(known.user))) {
    await keepOnce();
  }
  if (hasNewItem) {
    await keepOnce();
  }
}

/**
 * Returns the response to a request. Returns undefined if the browser should handle the request itself.
 * @param {Request} request
 * @returns {Promise<Response> | undefined}
 */
function answered(request) {
  const path = ownPath(request.url);
  if (request.method === 'POST') {
    return isOwn(request) ? posted(request, path) : undefined;
  }
  if (request.mode === 'navigate') {
    return opened(request, path);
  }
  if (path.startsWith('/pages/')) {
    return shell(request);
  }
  return path.startsWith('/images/') ? picture(request) : undefined;
}

/**
 * @param {Request} request
 * @param {string} path
 */
function opened(request, path) {
  const { search } = new URL(request.url);
  // The form for saving changes nothing, so the service need not see which site has opened it.
  if (!UNTOUCHED.test(path) || (path === SAVE && search === '')) {
    return page(request, session.isOfOwner);
  }
  return path === SAVE && !navigator.onLine ? page(asking(request), session.isOfOwner) : undefined;
}

/**
 * Returns the request for the page that asks the user whether to save an address. If the browser has no network but can
 * reach the service, for example on the same machine, the service would see this worker as the sender of the request.
 * @param {Request} request
 */
function asking({ url }) {
  const address = new URL(url);
  address.searchParams.set('ask', '1');
  return new Request(address, { redirect: 'manual', headers: { Accept: 'text/html' } });
}

/**
 * @param {Request} request
 * @param {string} path
 */
function posted(request, path) {
  const form = formAt(path);
  // Article pages send the reading position themselves, because a request of a closing page would be lost.
  if (form !== undefined && (request.mode === 'navigate' || form.isSilent !== true)) {
    return act(request);
  }
  // Without a sub-path, the header `Clear-Site-Data` deletes the data. It may also stop this worker, so the worker does
  // not answer the request.
  const isHandled = at('/') !== '/' || !navigator.onLine;
  return isHandled && LEAVING.test(path) ? session.leave(request) : undefined;
}

/**
 * Returns true if a page of this service sent the request. A form from another site must bypass this worker. Otherwise,
 * the service would see this worker as the sender of the form.
 */
const isOwn = (/** @type {Request} */ { referrer }) =>
  URL.canParse(referrer) && new URL(referrer).origin === worker.location.origin;

/**
 * Requests after which the kept pages may be outdated, or may belong to another user.
 * @type {readonly { matches: (request: Request, path: string) => boolean, effect: () => Promise<unknown> | undefined
 * }[]}
 */
const EFFECTS = [
  // The queued changes stay, because the service may reject the form, or may be out of reach.
  {
    matches: (request, path) => request.method === 'POST' && LEAVING.test(path) && isOwn(request),
    effect: session.doubt,
  },
  {
    matches: ({ method }, path) => method === 'POST' && LOGIN_FORM.test(path),
    effect: session.doubt,
  },
  { matches: (_, path) => path === ISSUER_CALLBACK, effect: session.doubt },
  {
    matches: (_, path) => path === SAVED,
    effect: () => {
      hasNewItem = true;
    },
  },
  // Confirm the user, because the response may be a login page. This worker does not see the response.
  {
    matches: ({ method, mode }, path) =>
      mode === 'navigate' && (method === 'POST' || UNTOUCHED.test(path)),
    effect: session.confirmOwner,
  },
];

/** @param {Request} request */
function effectOf(request) {
  const path = ownPath(request.url);
  return EFFECTS.find(({ matches }) => matches(request, path))?.effect();
}

/**
 * Caches the style sheets, scripts, icons and the offline page. A file that cannot be fetched now is cached when a page
 * uses it.
 */
async function install() {
  await Promise.allSettled([
    ...SHELL_FILES.map((name) => shell(new Request(pathOf(name)))),
    ...OFFLINE_PAGES.map(keepOfflinePage),
  ]);
  await worker.skipWaiting();
}

/**
 * Lets browsers with static routes send reading positions directly. Through this worker, a request that a page sends
 * while it closes would be lost.
 * @param {ExtendableEvent & { addRoutes?: (route: object) => Promise<void> }} event
 */
async function passReading(event) {
  const urlPattern = { pathname: at('/read/*/position') };
  const condition = { requestMethod: 'POST', requestMode: 'cors', urlPattern };
  await event.addRoutes?.({ condition, source: 'network' }).catch(() => undefined);
}

worker.addEventListener('install', (event) => {
  event.waitUntil(Promise.all([install(), passReading(event)]));
});

async function activate() {
  for (const name of await caches.keys()) {
    if (name.startsWith(CACHES) && name !== SHELL && name !== PAGES) {
      await caches.delete(name);
    }
  }
  await keepOnly([...SHELL_PARTS, ...OPTIONAL_FILES.map(pathOf)]);
  await worker.clients.claim();
}

worker.addEventListener('activate', (event) => {
  const activated = activate();
  event.waitUntil(activated);
  // The message of the open page may have reached the worker that this worker replaces. Requests wait until this worker
  // is active, so the activation does not wait for the pages.
  activated.then(keepOnce).catch(() => undefined);
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  if (new URL(request.url).origin !== worker.location.origin) {
    return;
  }
  const effect = effectOf(request);
  if (effect !== undefined) {
    event.waitUntil(effect.catch(() => undefined));
  }
  const response = answered(request);
  if (response !== undefined) {
    event.respondWith(response);
    if (request.mode === 'navigate') {
      event.waitUntil(response.then(session.checkSession).catch(() => undefined));
    }
  }
});

/**
 * A message of a page: a form to queue, the dismissal of rejected changes, or the request to update the kept pages.
 * @typedef {{ queued?: { url: string, body: string }, isDismissed?: boolean }} PageMessage
 */

/** @param {PageMessage} data */
async function hear({ queued, isDismissed }) {
  if (queued !== undefined) {
    await queueOfPage(queued.url, queued.body);
  } else if (isDismissed === true) {
    await dismiss();
  } else {
    await session.tell();
    await keepIfDue();
  }
}

worker.addEventListener('message', (event) => {
  // The browser may have requested this page before the worker was in control.
  if (event.source instanceof Client && ownPath(event.source.url) === SAVED) {
    hasNewItem = true;
  }
  // Ignore network errors. The next page or Background Sync tries again.
  /** @type {unknown} */
  const data = event.data;
  event.waitUntil(hear(/** @type {PageMessage} */ (data)).catch(() => undefined));
});

worker.addEventListener('sync', (event) => {
  if (event instanceof ExtendableEvent) {
    event.waitUntil(keepOnce());
  }
});
