import * as badge from './badge.js';
import { find } from './items.js';

/** Each page that is looked at is asked for, which tells the server its address: only where the person wants that. */
async function isWanted() {
  const { showsSaved } = await chrome.storage.local.get('showsSaved');
  return showsSaved === true;
}

/**
 * Shows on the button whether the page of a tab is saved.
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
    // The next click says what is wrong.
    await badge.show(tabId, 'none');
  }
}
