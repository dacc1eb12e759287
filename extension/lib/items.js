import { callForPerson, connection } from './connection.js';
import { Problem, SnapshotTooLarge } from './problem.js';
import { isObject, textIn } from './service.js';
import { snapshotOf } from './snapshot/snapshot.js';
import { text } from './texts.js';
import { pageOf } from './visible-page.js';

/**
 * An item in the user's list.
 * @typedef {object} Item
 * @property {string} id
 * @property {string} url
 * @property {string} title
 * @property {boolean} isArchived
 * @property {boolean} isFavorite
 * @property {string[]} tags
 * @property {number} added The time of addition in Unix seconds.
 */

/**
 * The result of a lookup of a page: the item that was saved for the page, and the names of all tags of the user. The
 * item is undefined if the page is not saved.
 * @typedef {{ item: Item | undefined, allTags: string[] }} Found
 */

/** The server's size limit in bytes for the body of a `/v3/add` call. */
const MAX_BODY_BYTES = 6 * 1024 * 1024;

const WEB = /^https?:/i;

/**
 * Returns the URL of a page if the page can be saved.
 * @param {string | undefined} url
 * @throws {Problem} if the URL is not an http or https address
 */
export function savable(url) {
  if (url === undefined || !WEB.test(url)) {
    throw new Problem(text('problem.noAddress'));
  }
  return url;
}

/**
 * Fetches the item of a page from the server, and the names of all tags of the user.
 * @param {string} url
 * @returns {Promise<Found>}
 */
export async function find(url) {
  const answer = await callForPerson('/v3/get', {
    ...{ url, state: 'all', detailType: 'complete', count: 1, forcetaglist: 1 },
  });
  const list = isObject(answer['list']) ? Object.values(answer['list']) : [];
  const allTags = Array.isArray(answer['tags']) ? answer['tags'].map(textIn) : [];
  return { item: isObject(list[0]) ? itemOf(list[0], url) : undefined, allTags };
}

/**
 * Converts an item of a `/v3/get` response.
 * @param {import('./service.js').Members} row
 * @param {string} url
 * @returns {Item}
 */
const itemOf = (row, url) => ({
  id: textIn(row['item_id']),
  url,
  title: textIn(row['resolved_title']) || textIn(row['given_title']) || url,
  isArchived: row['status'] === '1',
  isFavorite: row['favorite'] === '1',
  tags: isObject(row['tags']) ? Object.keys(row['tags']) : [],
  added: Number(row['time_added']),
});

/**
 * Returns suggested tags for the item.
 * @param {string} itemId
 */
export async function suggestions(itemId) {
  const { suggested_tags: tags } = await callForPerson('/v3/suggested_tags', { item_id: itemId });
  return Array.isArray(tags)
    ? tags.map((/** @type {unknown} */ one) => (isObject(one) ? textIn(one['tag']) : ''))
    : [];
}

/**
 * Saves the page of a tab with its current HTML.
 * @param {ExtensionTab} tab
 */
export async function saveTab({ id = -1, url: shown, title = '' }) {
  const url = savable(shown);
  const server = (await connection())?.server;
  if (server !== undefined && url.startsWith(`${server}/`)) {
    throw new Problem(text('problem.ownPage'));
  }
  const html = await pageOf(id);
  await save({ url, title, ...(html !== undefined && { html }) });
}

/**
 * Saves a snapshot of the page in a tab. The page must be in the list.
 * @param {number} tabId
 * @param {string} url
 * @returns {Promise<boolean>} True if a picture, a style sheet or a frame is missing in the snapshot.
 */
export async function saveSnapshotOf(tabId, url) {
  const { within } = await snapshotOf(tabId);
  const snapshot = within();
  try {
    return await sendSnapshot(url, snapshot);
  } catch (error) {
    const limit = error instanceof SnapshotTooLarge ? error.maxBytes : 0;
    if (limit > 0 && new Blob([snapshot.html]).size > limit) {
      return sendSnapshot(url, within(limit));
    }
    throw error;
  }
}

/**
 * @param {string} url
 * @param {import('./snapshot/snapshot.js').Snapshot} snapshot
 */
async function sendSnapshot(url, { html, isPartial }) {
  await callForPerson('/v3/snapshot', { url, html });
  return isPartial;
}

/** Returns true if the user wants a snapshot with each page. */
export async function savesSnapshots() {
  const { savesSnapshots: isWanted } = await chrome.storage.local.get('savesSnapshots');
  return isWanted === true;
}

/**
 * Saves a page. Omits the page's HTML if the request body would exceed the server's limit.
 * @param {import('./service.js').Members} members
 */
export async function save(members) {
  const { html, ...others } = members;
  const size = new TextEncoder().encode(JSON.stringify(members)).length;
  // Reserves 1000 bytes of the body limit for the credentials, which `callForPerson` adds later.
  const isTooLong = size > MAX_BODY_BYTES - 1000;
  await callForPerson('/v3/add', isTooLong || html === undefined ? others : { ...others, html });
}

/**
 * Applies actions, such as `archive`, to an item.
 * @param {string} itemId
 * @param {readonly import('./service.js').Members[]} actions
 * @throws {Problem} if the server rejects one of the actions
 */
export async function change(itemId, actions) {
  const answer = await callForPerson('/v3/send', {
    actions: actions.map((action) => ({ ...action, item_id: itemId })),
  });
  const errors = Array.isArray(answer['action_errors']) ? answer['action_errors'] : [];
  const failed = errors.find((/** @type {unknown} */ error) => isObject(error));
  if (isObject(failed)) {
    throw new Problem(text('problem.notStored', { reason: textIn(failed['message']) }));
  }
}

/**
 * Saves a deleted item again, with its tags, its time of addition and its state.
 * @param {Item} item
 * @param {number} tabId
 */
export async function restore({ id, url, title, tags, added, isArchived, isFavorite }, tabId) {
  const html = await pageOf(tabId);
  const page = html === undefined ? {} : { html };
  await save({ url, title, time: added, ...(tags.length > 0 && { tags }), ...page });
  const actions = [isArchived && 'archive', isFavorite && 'favorite'].filter(
    (name) => name !== false,
  );
  if (actions.length > 0) {
    await change(
      id,
      actions.map((action) => ({ action })),
    );
  }
}
