const COLOR = '#0b5748';
const TITLE = 'Save to Satchel';

/** The text and the title of the extension's button for each state of a page. */
const SIGNS = {
  none: { text: '', title: TITLE },
  saving: { text: '…', title: 'Saving to Satchel' },
  saved: { text: '✓', title: 'Saved in Satchel' },
  failed: { text: '!', title: TITLE },
};

/**
 * Shows the state of a tab's page on the extension's button.
 * @param {number | undefined} tabId
 * @param {keyof typeof SIGNS} state
 * @param {string} [why] The reason of a failure, shown instead of the state's title.
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
    // The call fails only if the tab was closed, and a closed tab needs no badge.
  }
}
