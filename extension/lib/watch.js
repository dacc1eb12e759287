import * as badge from './badge.js';
import { find } from './items.js';

/**
 * Returns true if the user has enabled the lookup of each visited page. The lookup is off by default, because it sends
 * the address of each visited page to the server.
 */
async function isWanted() {
  const { showsSaved } = await chrome.storage.local.get('showsSaved');
  return showsSaved === true;
}

/**
 * Shows on the extension's button whether the page of a tab is saved.
 * @param {number} tabId
 * @param {ExtensionTab} tab
 */
export async function lookAt(tabId, { url = '' }) {
  if (!/^https?:/.test(url) || !(await isWanted())) {
    return;
  }
  try {
    const { item } = await find(url);
    await badge.show(tabId, item === undefined ? 'none' : 'saved');
  } catch {
    // Shows no error on the button, because the user did not start this lookup.
    await badge.show(tabId, 'none');
  }
}
