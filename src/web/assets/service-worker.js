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
  ].map((name) => at(`/pages/${name}`)),
];
/** A page that is opened soon after another has nothing new to keep. */
const KEEP_EVERY_MS = 60_000;
/** Beside this service; and where another site may lead to, and the service must see that it did (docs/decisions/0058). */
const UNTOUCHED = /^(?:$|\/(?:save|auth|v3)(?:$|\/))/;

const LOGOUT = /^\/(?:auth\/leave|account\/sign-out)$/;
/** Forms that log a person in, perhaps another one than before. */
const LOGIN_FORM = /^\/(?:auth\/(?:login|register|reset|verify)(?:\/|$)|wallabag\/login_check$)/;
/** Where a login at an issuer ends. */
const ISSUER_CALLBACK = '/auth/oidc/callback';
const SAVED = '/save/done';

/** When the pages were kept last, and whether the session is still the same. */
let kept = { atMs: 0, isCurrent: () => false };
/** A page was saved after the list was asked for. */
let hasNewItem = false;
/** @type {Promise<void> | undefined} */
let keeping;

/**
 * Asks whose list this is, sends what waits for them, and keeps their pages. Starts again if the session has changed
 * meanwhile, because callers of `keepOnce` may have joined for the new one.
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

/** Once at a time. */
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
 * Undefined for what the browser does by itself.
 * @param {Request} request
 * @returns {Promise<Response> | undefined}
 */
function answered(request) {
  const path = ownPath(request.url);
  if (request.method === 'POST') {
    return path === ACTIONS && isOwn(request) ? act(request) : undefined;
  }
  if (request.mode === 'navigate') {
    return UNTOUCHED.test(path) ? undefined : page(request, session.isOfOwner);
  }
  if (path.startsWith('/pages/')) {
    return shell(request);
  }
  return path.startsWith('/images/') ? picture(request) : undefined;
}

/** A form that another site sends keeps the marks of that: this worker would be taken for its sender. */
const isOwn = (/** @type {Request} */ { referrer }) =>
  URL.canParse(referrer) && new URL(referrer).origin === worker.location.origin;

/**
 * Requests that change whose pages may be kept, or which.
 * @type {readonly { matches: (request: Request, path: string) => boolean, effect: () => Promise<unknown> | undefined }[]}
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
  // This worker does not see the answer, which may be a login page.
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

/** What cannot be had now comes with the page that shows it. */
async function install() {
  const cache = await caches.open(SHELL);
  await Promise.allSettled(SHELL_PARTS.map((path) => cache.add(path)));
  await worker.skipWaiting();
}

/**
 * A call that a page makes while it is left would be lost on its way through this worker. Browsers without static
 * routes ask the worker for each call.
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
  // The request for this page may have been sent before the worker was in control.
  if (event.source instanceof Client && ownPath(event.source.url) === SAVED) {
    hasNewItem = true;
  }
  // Without a network it is tried again by the next page, and by Background Sync.
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
