import { t } from './text.js';

/** Notices about actions, at the bottom of the window. */

/**
 * Shows an error as a notice.
 * @param {unknown} error
 */
export function notifyOf(error) {
  notify(error instanceof Error ? error.message : String(error), undefined);
}

/**
 * Shows a notice with a button to undo the action. Replaces an earlier notice.
 * @param {string} text
 * @param {(() => void) | undefined} undo
 */
export function notify(text, undo) {
  const notice = noticeOf();
  const sentence = document.createElement('p');
  sentence.textContent = text;
  notice.replaceChildren(sentence);
  if (undo !== undefined) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = t('scripts.undo');
    button.addEventListener('click', undo);
    notice.append(button);
  }
  notice.append(closeButton());
}

function closeButton() {
  const close = document.createElement('button');
  close.type = 'button';
  close.className = 'close';
  close.title = t('scripts.closeNotice');
  close.setAttribute('aria-label', close.title);
  close.innerHTML = CLOSE_ICON;
  return close;
}

const CLOSE_ICON =
  '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M6 6l12 12M18 6L6 18"/></svg>';

/** Closes the notice if the user clicks its close button or link. */
export function closeNotices() {
  document.addEventListener('click', (event) => {
    const { target } = event;
    if (target instanceof Element && target.closest('.done .close') !== null) {
      event.preventDefault();
      noticeOf().replaceChildren();
    }
  });
}

/**
 * Returns the element for notices. The element is added to the page before its text, because screen readers do not
 * announce the text of new elements.
 */
export function noticeOf() {
  const there = document.querySelector('.done');
  if (there instanceof HTMLElement) {
    return there;
  }
  const notice = document.createElement('div');
  notice.className = 'notice done';
  notice.setAttribute('role', 'status');
  document.querySelector('main')?.prepend(notice);
  return notice;
}
