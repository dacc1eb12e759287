import { text } from './texts.js';

const COLOR = '#0b5748';

/**
 * The badge text and the tooltip of the extension's button: for an unsaved page, during the save, for a saved page, and
 * after an error.
 */
const SIGNS = {
  none: { sign: '', tooltip: () => text('button.save') },
  saving: { sign: '…', tooltip: () => text('button.saving') },
  saved: { sign: '✓', tooltip: () => text('button.saved') },
  failed: { sign: '!', tooltip: () => text('button.save') },
};

/**
 * Shows the state of the page in a tab on the extension's button. For example, a badge shows that the page is saved.
 * @param {number | undefined} tabId
 * @param {keyof typeof SIGNS} state
 * @param {string} [why] The error message, shown instead of the usual tooltip of the button.
 */
export async function show(tabId, state, why) {
  if (tabId === undefined) {
    return;
  }
  const { sign, tooltip } = SIGNS[state];
  try {
    await chrome.action.setBadgeBackgroundColor({ color: COLOR });
    await chrome.action.setBadgeText({ tabId, text: sign });
    await chrome.action.setTitle({ tabId, title: why ?? tooltip() });
  } catch {
    // Ignores the error, because calls to `chrome.action` fail only if the user has closed the tab.
  }
}
