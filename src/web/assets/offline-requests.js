import { at, BASE, ownPath } from './own-path.js';

/** The forms that the service worker queues while the network is unavailable. This is the only list of these forms. */

export const ACTIONS = '/list/actions';
export const SAVE = '/save';
/** The action that only opens the form for tags. */
const EDIT_TAGS = 'edit_tags';
/** The fields of `/list/actions` that contain item ids. */
const ITEM_FIELDS = new Set(['item', 'item[]', 'one']);

/**
 * A kind of form that can be queued.
 * - `pageAfter` returns the address of the page that is shown after the form is queued.
 * - `isSilent` is true if the user does not send the form, so that no notice counts it.
 * - `isLastOnly` is true if a form replaces an earlier form with the same path.
 * - `isDoneIfMissing` is true if the response 404 means that the change is already done.
 * @typedef {object} QueuedForm
 * @property {RegExp} path
 * @property {(url: URL, fields: URLSearchParams) => URL} pageAfter
 * @property {boolean} [isSilent]
 * @property {boolean} [isLastOnly]
 * @property {boolean} [isDoneIfMissing]
 */

/** @type {readonly QueuedForm[]} */
const FORMS = [
  { path: /^\/list\/actions$/, pageAfter: (url, fields) => backOf(url, fields) },
  { path: /^\/save$/, pageAfter: (url) => new URL(at('/offline/save'), url) },
  { path: /^\/read\/\d+\/(?:edit|note|highlights|highlights\/note)$/, pageAfter: articleOf },
  { path: /^\/read\/\d+\/highlights\/delete$/, pageAfter: articleOf, isDoneIfMissing: true },
  { path: /^\/read\/\d+\/position$/, pageAfter: articleOf, isSilent: true, isLastOnly: true },
];

/**
 * Returns the kind of the form that is sent to a path. Returns undefined if such a form is not queued.
 * @param {string} path
 */
export const formAt = (path) => FORMS.find((form) => form.path.test(path));

/**
 * Returns true if two forms change the same item, or if one of them may change any item.
 * @param {{ path: string, fields: URLSearchParams }} one
 * @param {{ path: string, fields: URLSearchParams }} other
 */
export function concernSameItem(one, other) {
  const items = itemsIn(one);
  return (
    [one, other].some(({ fields }) => fields.has('all')) ||
    itemsIn(other).some((id) => items.includes(id))
  );
}

/** @param {{ path: string, fields: URLSearchParams }} form */
function itemsIn({ path, fields }) {
  const [, ofArticle] = /^\/read\/(\d+)\//.exec(path) ?? [];
  const listed = [...fields].filter(([name]) => ITEM_FIELDS.has(name));
  return ofArticle === undefined
    ? listed.map(([, value]) => value.replace(/^.*:/, ''))
    : [ofArticle];
}

/** @param {URL} url */
function articleOf({ href }) {
  const article = new URL(href);
  article.pathname = article.pathname.replace(/(\/read\/\d+)\/.*$/, '$1');
  return article;
}

/**
 * @param {URL} url
 * @param {URLSearchParams} fields
 */
function backOf({ origin }, fields) {
  const back = ownUrl(fields.get('back') ?? '', origin) ?? new URL(at('/list'), origin);
  const [action, item] = fields.get('one')?.split(':') ?? [];
  if (action !== EDIT_TAGS || item === undefined) {
    return back;
  }
  const query = new URLSearchParams({ item, back: ownPath(back.href) + back.search });
  return new URL(`${at('/list/tags')}?${query.toString()}`, origin);
}

/**
 * Returns the URL of a path of this service. Returns undefined for other addresses.
 * @param {string} path
 * @param {string} origin
 */
function ownUrl(path, origin) {
  const url = URL.canParse(at(path), origin) ? new URL(at(path), origin) : undefined;
  return url?.origin === origin && url.pathname.startsWith(`${BASE}/`) ? url : undefined;
}

/**
 * Returns true if a form only opens another page, and changes nothing.
 * @param {URLSearchParams} fields
 */
export const changesNothing = (fields) =>
  [fields.get('one'), fields.get('action')].some((action) => action?.startsWith(EDIT_TAGS));
