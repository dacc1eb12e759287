/** The functions that change the list. The list loads this script when the user begins to use it. */

import { followSwipes } from './list-swipe.js';
import { loadSheet } from './load-sheet.js';
import { closeNotices, noticeOf } from './notices.js';

export { change } from './list-change.js';
export { chooseLayout } from './list-layout.js';
export { changeSelection, showSelection } from './list-selection.js';
export { refresh, sendInPlace } from './list-swap.js';
export { beginSwipe } from './list-swipe.js';

const SHEET_MS = 2000;

closeNotices();
followSwipes();
// A style sheet that hangs must not delay the actions.
await Promise.race([
  loadSheet(new URL('./list-more.css', import.meta.url).href),
  new Promise((resolve) => {
    setTimeout(resolve, SHEET_MS);
  }),
]);
// Not before its style: it would move the items while the user presses a button, and the click would be lost.
noticeOf();
