import { t } from './text.js';

/**
 * Sends a form of the page with other values. The page stays open.
 * @throws Error with a message for the user
 * @param {HTMLFormElement} form
 * @param {Readonly<Record<string, string>>} values
 */
export async function postForm({ action, elements }, values) {
  const token = elements.namedItem('_csrf');
  const _csrf = token instanceof HTMLInputElement ? token.value : '';
  const response = await fetch(action, {
    ...{ method: 'POST', body: new URLSearchParams({ _csrf, ...values }) },
    headers: { Accept: 'application/json' },
  }).catch(() => undefined);
  if (response === undefined) {
    throw new Error(t('scripts.unreachable'));
  }
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json') === true;
  if (!response.ok || !isJson) {
    throw new Error(await reasonOf(response));
  }
}

/** @param {Response} response */
async function reasonOf(response) {
  /** @type {unknown} */
  const body = await response.json().catch(() => undefined);
  const message = typeof body === 'object' && body !== null && 'message' in body && body.message;
  return message === false ? t('scripts.unexpectedAnswer') : [message].flat().join(' ');
}
