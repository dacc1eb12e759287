const COLOR = '#0b5748';
const TITLE = 'Save to Satchel';

/** The text and the title of the extension's button for each state. */
const SIGNS = {
  none: { text: '', title: TITLE },
  saving: { text: '…', title: 'Saving to Satchel' },
  saved: { text: '✓', title: 'Saved in Satchel' },
  failed: { text: '!', title: TITLE },
};

/**
 * @param {number | undefined} tabId
 * @param {keyof typeof SIGNS} state
 * @param {string} [why] Replaces the usual title.
 */
export async function show(tabId, state, why) {
  if (tabId === undefined) {
    return;
  }
  const { text, title } = SIGNS[state];
  try {
    await chrome.action.setBadgeBackgroundColor({ color: COLOR });
    await chrome.action.setBadgeText({ tabId, text });
    await chrome.action.setTitle({ tabId, title: why ?? title });
  } catch {
    // Ignores the error, because the tab has been closed.
  }
}
