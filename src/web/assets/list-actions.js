import { at } from './own-path.js';
import { t } from './text.js';

/**
 * Sends actions on items from the scripts of the reader. The service receives the same form as without a script, but
 * the page stays open.
 */

/** @typedef {{ readonly action: string, readonly itemIds: readonly string[] }} Order */

/**
 * Sends an action, and returns the ids of the items that it changed. Updates the number of items in the heading of the
 * list.
 * @throws Error with a message for the user
 * @param {Order} order
 * @returns {Promise<readonly string[]>}
 */
export async function act({ action, itemIds }) {
  const fields = new URLSearchParams({ _csrf: token(), action, back: fieldOf('back') });
  itemIds.forEach((id) => {
    fields.append('item[]', id);
  });
  const answer = await sent(fields);
  const body = await bodyOf(answer);
  if (!answer.ok || body.results === undefined) {
    throw new Error([body.message ?? t('scripts.unexpectedAnswer')].flat().join(' '));
  }
  const { results, total } = body;
  showTotal(total);
  return itemIds.filter((_, at) => results[at] === true);
}

/**
 * @typedef {{ results?: readonly boolean[], total?: string, message?: string | readonly string[] }} Answer
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

let lastToken = '';

/** Returns the CSRF token of the page. The page of an empty list has no form, but its last change can still be undone. */
function token() {
  lastToken = fieldOf('_csrf') || lastToken;
  return lastToken;
}

/** @param {string} name */
function fieldOf(name) {
  const field = document.querySelector(`input[name="${name}"]`);
  return field instanceof HTMLInputElement ? field.value : '';
}

/** @param {string | undefined} total */
function showTotal(total) {
  const place = document.querySelector('.over .hint');
  if (place !== null && total !== undefined) {
    place.textContent = total;
  }
}
