import {
  CACHES,
  INDEX,
  keepPages,
  noNetwork,
  OFFLINE_PAGE,
  page,
  PAGES,
  picture,
  SHELL,
  shell,
} from './offline-pages.js';
import { addChange, changes, forgetAll, owner, removeChange, setOwner } from './offline-queue.js';
import { at, BASE, ownPath } from './own-path.js';

/** @typedef {import('./offline-pages.js').OfflineIndex} OfflineIndex */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

const SHELL_PARTS = [
  OFFLINE_PAGE,
  ...['style.css', 'reader.css', 'icon.svg', 'offline.js', 'offline-list.js', 'own-path.js'].map(
    (name) => at(`/pages/${name}`),
  ),
];
const ACTIONS = '/list/actions';
const SYNC = 'changes';
/** A page that is opened soon after another has nothing new to keep. */
const KEEP_EVERY_MS = 60_000;
/** Beside this service; and where another site may lead to, and the service must see that it did (docs/decisions/0058). */
const UNTOUCHED = /^(?:$|\/(?:save|auth|v3)(?:$|\/))/;

/** Counts the users of this browser: what was begun for one is not finished for another. */
let era = 0;
let keptAtMs = 0;
/** @type {Promise<void> | undefined} */
let keeping;

/** Throws away all that is of the user. */
async function forget() {
  era += 1;
  keptAtMs = 0;
  await caches.delete(PAGES);
  await forgetAll();
  await tell();
}

/** Another user may have logged in: nothing that is kept is shown before the service says whose list this is. */
async function doubt() {
  keptAtMs = 0;
  const known = await owner();
  if (known !== undefined) {
    await setOwner({ ...known, isSure: false });
  }
}

/** Asks whose list this is, sends what waits for them, and keeps their pages. */
async function keep() {
  const response = await fetch(INDEX, { headers: { Accept: 'application/json' } });
  if (response.status === 401) {
    era += 1;
    await caches.delete(PAGES);
    await doubt();
  }
  if (!response.ok) {
    return;
  }
  /** @type {unknown} */
  const told = await response.json();
  const index = /** @type {OfflineIndex} */ (told);
  if ((await owner())?.user !== index.user) {
    await forget();
  }
  await setOwner({ user: index.user, isSure: true });
  await sendChanges(index.csrfToken);
  const own = era;
  keptAtMs = performance.now();
  await keepPages(index, () => own === era);
}

/** Once at a time. */
function keepOnce() {
  keeping ??= keep().finally(() => {
    keeping = undefined;
  });
  return keeping;
}

async function keepIfDue() {
  const isRecent = keptAtMs > 0 && performance.now() - keptAtMs < KEEP_EVERY_MS;
  const known = await owner();
  if (!isRecent || known?.isSure !== true || (await changes()).length > 0) {
    await keepOnce();
  }
}

/**
 * In the order in which they were made. What the service refuses is not sent again; what it cannot take now waits.
 * @param {string} csrfToken
 */
async function sendChanges(csrfToken) {
  let refused = 0;
  for (const { id = 0, body } of await changes()) {
    const fields = new URLSearchParams(body);
    fields.set('_csrf', csrfToken);
    const response = await fetch(at(ACTIONS), {
      method: 'POST',
      headers: { Accept: 'application/json' },
      body: fields,
      redirect: 'manual',
    });
    if (!response.ok && !isRefused(response)) {
      break;
    }
    refused += response.ok ? 0 : 1;
    await removeChange(id);
  }
  await tell(refused);
}

/** @param {Response} response */
const isRefused = ({ status }) =>
  status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status);

/** Tells the open pages what waits. */
async function tell(refused = 0) {
  const waiting = (await changes()).map(({ body }) => body);
  for (const client of await worker.clients.matchAll()) {
    client.postMessage({ waiting, refused });
  }
}

/**
 * A change of the list; without a network it waits for one.
 * @param {Request} request
 */
async function act(request) {
  const copy = request.clone();
  try {
    return await fetch(request);
  } catch {
    return wait(copy);
  }
}

/** @param {Request} request */
async function wait(request) {
  const fields = new URLSearchParams(await request.text());
  const known = await owner();
  const changesNothing = fields.get('one')?.startsWith('edit_tags') === true;
  if (known?.isSure !== true || changesNothing) {
    return noNetwork();
  }
  fields.delete('_csrf');
  await addChange({ user: known.user, body: fields.toString() });
  await askForSync();
  await tell();
  return request.mode === 'navigate' ? Response.redirect(backOf(fields), 303) : asDone(fields);
}

/** Where the browser can wake this worker when the network is back. */
async function askForSync() {
  const { sync } = /** @type {{ sync?: { register(tag: string): Promise<void> } }} */ (
    /** @type {unknown} */ (worker.registration)
  );
  try {
    await sync?.register(SYNC);
  } catch {
    // The next page sends what waits.
  }
}

/** @param {URLSearchParams} fields */
function backOf(fields) {
  const { origin } = worker.location;
  const list = new URL(at('/list'), origin);
  const back = new URL(at(fields.get('back') ?? '/list'), origin);
  return back.origin === origin && back.pathname.startsWith(`${BASE}/`) ? back : list;
}

/** @param {URLSearchParams} fields */
function asDone(fields) {
  const items = fields.has('one') ? 1 : fields.getAll('item[]').length;
  return Response.json({ results: Array.from({ length: items }, () => true), waiting: true });
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
    return UNTOUCHED.test(path) ? undefined : page(request);
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
 * What must happen with the pages of the user when a form is sent.
 * @param {Request} request
 */
function effectOf({ method, url }) {
  const path = ownPath(url);
  if (method !== 'POST') {
    return undefined;
  }
  if (path === '/auth/leave' || path === '/account/sign-out') {
    return forget();
  }
  return path === '/auth/login' || path === '/auth/register' ? doubt() : undefined;
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
  const condition = { requestMethod: 'POST', urlPattern: { pathname: at('/read/*') } };
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
    event.waitUntil(effect);
  }
  const response = answered(request);
  if (response !== undefined) {
    event.respondWith(response);
  }
});

worker.addEventListener('message', (event) => {
  // Without a network it is tried again by the next page, and by Background Sync.
  event.waitUntil(
    tell()
      .then(keepIfDue)
      .catch(() => undefined),
  );
});

worker.addEventListener('sync', (event) => {
  if (event instanceof ExtendableEvent) {
    event.waitUntil(keepOnce());
  }
});
