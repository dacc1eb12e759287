import { at } from './own-path.js';
import { t } from './text.js';

/**
 * Sends actions on items from the scripts of the reader. The service receives the same form as without a script, but
 * the page stays open.
 */

/** @typedef {{ readonly action: string, readonly itemIds: readonly string[] }} Order */

/**
 * Sends an action, and returns the ids of the items that it changed.
 * @throws Error with a message for the user
 * @param {Order} order
 * @returns {Promise<readonly string[]>}
 */
export async function act({ action, itemIds }) {
  const fields = new URLSearchParams({ _csrf: token(), action });
  itemIds.forEach((id) => {
    fields.append('item[]', id);
  });
  const answer = await sent(fields);
  const body = await bodyOf(answer);
  if (!answer.ok || body.results === undefined) {
    throw new Error([body.message ?? t('scripts.unexpectedAnswer')].flat().join(' '));
  }
  const { results } = body;
  return itemIds.filter((_, at) => results[at] === true);
}

/**
 * @typedef {{ results?: readonly boolean[], message?: string | readonly string[] }} Answer
 * @param {Response} answer
 * @returns {Promise<Answer>}
 */
async function bodyOf(answer) {
  /** @type {unknown} */
  const body = await answer.json().catch(() => ({}));
  return isAnswer(body) ? body : {};
}

/** @param {unknown} body @returns {body is Answer} */
const isAnswer = (body) => typeof body === 'object' && body !== null;

/** @param {URLSearchParams} body */
async function sent(body) {
  try {
    return await fetch(at('/list/actions'), {
      ...{ method: 'POST', body, headers: { Accept: 'application/json' } },
      redirect: 'error',
    });
  } catch {
    throw new Error(t('scripts.unreachable'));
  }
}

/**
 * Shows an error as a notice.
 * @param {unknown} error
 */
export function notifyOf(error) {
  notify(error instanceof Error ? error.message : String(error), undefined);
}

function token() {
  const field = document.querySelector('input[name="_csrf"]');
  return field instanceof HTMLInputElement ? field.value : '';
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
  notice.className = 'notice good done';
  notice.setAttribute('role', 'status');
  document.querySelector('main')?.prepend(notice);
  return notice;
}
