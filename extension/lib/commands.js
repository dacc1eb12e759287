import * as badge from './badge.js';
import { beginConnecting } from './connect.js';
import { connection, forgetConnection } from './connection.js';
import {
  change,
  find,
  restore,
  savable,
  save,
  saveSnapshotOf,
  savesSnapshots,
  saveTab,
  suggestions,
} from './items.js';
import { Problem, shownOf } from './problem.js';
import { isObject, permissionFor, textIn } from './service.js';
import { text } from './texts.js';

/**
 * The data that the popup shows.
 * @typedef {object} Saved
 * @property {import('./items.js').Item | undefined} item Undefined if the page is not in the list.
 * @property {boolean} isNew True if the item has just been saved.
 * @property {string[]} allTags
 * @property {string[]} suggested
 * @property {string} server
 * @property {string} [snapshotProblem] The reason why the page was saved without the snapshot that the user wants.
 * @property {boolean} [isPartial] True if a part of the page is missing in its snapshot.
 */

/**
 * Returns the data that the popup shows about the page in a tab. Also shows on the extension's button whether the page
 * is saved.
 * @param {number} tabId
 * @param {boolean} isNew
 * @returns {Promise<Saved>}
 */
async function stateOf(tabId, isNew) {
  const { url } = await chrome.tabs.get(tabId);
  const { item, allTags } = await find(savable(url));
  const suggested = item === undefined ? [] : await suggestions(item.id);
  await badge.show(tabId, item === undefined ? 'none' : 'saved');
  return { item, isNew, allTags, suggested, server: (await connection())?.server ?? '' };
}

/**
 * Saves the page in a tab if the list does not contain the page. Does not change an existing item.
 * @param {number} tabId
 */
async function open(tabId) {
  const tab = await chrome.tabs.get(tabId);
  const { item } = await find(savable(tab.url));
  return item === undefined ? saveAgain(tabId) : stateOf(tabId, false);
}

/**
 * Saves the page in a tab. If the list already contains the page, moves its item to the top of the list and marks the
 * item as unread.
 * @param {number} tabId
 */
export async function saveAgain(tabId) {
  const tab = await chrome.tabs.get(tabId);
  await saveTab(tab);
  const snapshotProblem = await problemOfSnapshot(tab);
  return {
    ...(await stateOf(tabId, true)),
    ...(snapshotProblem !== undefined && { snapshotProblem }),
  };
}

/**
 * Saves a snapshot of a page that was just saved, if the user wants one with each page. Returns the message of an error,
 * because the page itself is saved.
 * @param {ExtensionTab} tab
 */
async function problemOfSnapshot({ id = -1, url }) {
  try {
    if (await savesSnapshots()) {
      await saveSnapshotOf(id, savable(url));
    }
    return undefined;
  } catch (error) {
    return shownOf(error).text;
  }
}

/**
 * Saves a snapshot of the page in a tab. Saves the page first if the list does not contain it.
 * @param {number} tabId
 */
async function saveSnapshot(tabId) {
  const tab = await chrome.tabs.get(tabId);
  const url = savable(tab.url);
  if ((await find(url)).item === undefined) {
    await saveTab(tab);
  }
  const isPartial = await saveSnapshotOf(tabId, url);
  return { ...(await stateOf(tabId, false)), isPartial };
}

/**
 * Saves the page of a tab without opening the popup. The extension's button shows the result.
 * @param {ExtensionTab | undefined} tab
 */
export const saveQuietly = (tab) =>
  quietly(tab, async () => {
    await saveTab(tab ?? {});
    const problem = await problemOfSnapshot(tab ?? {});
    if (problem !== undefined) {
      throw new Problem(text('popup.savedWithoutSnapshot', { reason: problem }));
    }
  });

/**
 * Saves the page that a link points to. Sends no HTML, because the page is not open in a tab.
 * @param {string} url
 * @param {string} title
 * @param {ExtensionTab | undefined} tab
 */
export const saveLink = (url, title, tab) =>
  quietly(tab, () => save({ url: savable(url), ...(title !== '' && { title }) }));

/**
 * Runs `work`, which saves a page. Shows the result only on the extension's button, not in the popup.
 * @param {ExtensionTab | undefined} tab
 * @param {() => Promise<void>} work
 */
async function quietly(tab, work) {
  await badge.show(tab?.id, 'saving');
  try {
    await work();
    await badge.show(tab?.id, 'saved');
  } catch (error) {
    await badge.show(tab?.id, 'failed', shownOf(error).text);
  }
}

/**
 * Applies an action, such as `archive`, to the item of a tab's page.
 * @param {number} tabId
 * @param {import('./service.js').Members} message
 */
async function act(tabId, { itemId, action, tags }) {
  await change(textIn(itemId), [{ action, ...(typeof tags === 'string' && { tags }) }]);
  return stateOf(tabId, false);
}

/**
 * Restores the item that the user has just deleted.
 * @param {number} tabId
 * @param {import('./service.js').Members} message
 */
async function undoDelete(tabId, { item }) {
  await restore(/** @type {import('./items.js').Item} */ (item), tabId);
  return stateOf(tabId, false);
}

async function disconnect() {
  const known = await connection();
  await forgetConnection();
  if (known !== undefined) {
    await chrome.permissions.remove(permissionFor(known.server));
  }
}

/**
 * The commands that the popup and the settings page can send.
 * @type {Readonly<Record<string, (tabId: number, message: import('./service.js').Members) => Promise<unknown>>>}
 */
const COMMANDS = {
  open,
  saveAgain,
  saveSnapshot,
  act,
  undoDelete,
  connect: (_, { server, key }) => beginConnecting({ server: textIn(server), key: textIn(key) }),
  disconnect,
};

/**
 * Runs a command that the popup or the settings page has sent. Returns the result of the command, or an error to show
 * to the user.
 * @param {unknown} message
 * @returns {Promise<{ value: unknown } | { problem: import('./problem.js').ProblemShown }>}
 */
export async function run(message) {
  const asked = isObject(message) ? message : {};
  const command = COMMANDS[textIn(asked['command'])];
  try {
    return { value: await command?.(Number(asked['tabId']), asked) };
  } catch (error) {
    return { problem: shownOf(error) };
  }
}
