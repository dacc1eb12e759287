import { act, ACTIONS, sendChanges } from './offline-changes.js';
import {
  CACHES,
  keepPages,
  OFFLINE_PAGE,
  page,
  PAGES,
  picture,
  SHELL,
  shell,
} from './offline-pages.js';
import { changesOf, owner } from './offline-queue.js';
import * as session from './offline-session.js';
import { at, ownPath } from './own-path.js';

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

const SHELL_PARTS = [
  OFFLINE_PAGE,
  ...[
    'style.css',
    'reader.css',
    'icon.svg',
    'offline.js',
    'offline-list.js',
    'offline-queue.js',
    'own-path.js',
    'messages.js',
    'text.js',
  ].map((name) => at(`/pages/${name}`)),
];
/** The minimum time between two updates of the kept pages. */
const KEEP_EVERY_MS = 60_000;
/**
 * Paths whose requests the worker does not handle: paths outside this service, and paths that other sites may link to.
 * The service must see which site sends such a request (docs/decisions/0058).
 */
const UNTOUCHED = /^(?:$|\/(?:save|auth|v3)(?:$|\/))/;

const LOGOUT = /^\/(?:auth\/leave|account\/sign-out)$/;
/** The paths of forms that log in a user or delete an account. The user may differ from the previous user. */
const LOGIN_FORM =
  /^\/(?:auth\/(?:login|register|reset|verify)(?:\/|$)|wallabag\/login_check$|account\/delete$)/;
const ACCOUNT_DELETION = '/account/delete';
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
  const { index, isCurrent } = confirmed;
  await sendChanges(index);
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
  if (!isRecent || hasNewItem || !isSure || (await changesOf(known.user)).length > 0) {
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
    return UNTOUCHED.test(path) ? undefined : page(request, session.isOfOwner);
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
function posted(request, path) {
  if (path === ACTIONS) {
    return act(request);
  }
  // Without a sub-path, the header `Clear-Site-Data` deletes the data. It may also stop this worker, so the worker does
  // not answer the request.
  const isBelow = at('/') !== '/';
  return isBelow && path === ACCOUNT_DELETION ? session.deleteAccount(request) : undefined;
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
  { matches: ({ method }, path) => method === 'POST' && LOGOUT.test(path), effect: session.forget },
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
  const cache = await caches.open(SHELL);
  await Promise.allSettled(SHELL_PARTS.map((path) => cache.add(path)));
  await worker.skipWaiting();
}

/**
 * Lets browsers with static routes send POST requests of article pages directly. Through this worker, a request that a
 * page sends while it closes would be lost.
 * @param {ExtendableEvent & { addRoutes?: (route: object) => Promise<void> }} event
 */
async function passReading(event) {
  const urlPattern = { pathname: at('/read/*') };
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
  await worker.clients.claim();
}

worker.addEventListener('activate', (event) => {
  event.waitUntil(activate());
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

worker.addEventListener('message', (event) => {
  // The browser may have requested this page before the worker was in control.
  if (event.source instanceof Client && ownPath(event.source.url) === SAVED) {
    hasNewItem = true;
  }
  // Ignore network errors. The next page or Background Sync tries again.
  event.waitUntil(
    session
      .tell()
      .then(keepIfDue)
      .catch(() => undefined),
  );
});

worker.addEventListener('sync', (event) => {
  if (event instanceof ExtendableEvent) {
    event.waitUntil(keepOnce());
  }
});
