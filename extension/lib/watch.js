import * as badge from './badge.js';
import { find } from './items.js';

/** Checking every visited page reveals its address to the server, so the user must enable it. */
async function isWanted() {
  const { showsSaved } = await chrome.storage.local.get('showsSaved');
  return showsSaved === true;
}

/**
 * Shows on the button whether a tab's page is saved.
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
    // Ignored here. The next click shows the error.
    await badge.show(tabId, 'none');
  }
}
