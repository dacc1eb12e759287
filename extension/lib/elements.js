import { isObject } from './service.js';

/**
 * Returns the element with an id from the current page.
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} type The expected class of the element.
 * @returns {T}
 */
export function element(id, type) {
  const found = document.getElementById(id);
  if (!(found instanceof type)) {
    throw new Error(`the page has no ${id}`);
  }
  return found;
}

/**
 * Sends a command to the background script. The script finishes the command even if the popup is closed.
 * @param {import('./service.js').Members} message
 * @returns {Promise<{ value?: unknown, problem?: import('./problem.js').ProblemShown }>}
 */
export async function ask(message) {
  const answer = await chrome.runtime.sendMessage(message);
  return isObject(answer) ? answer : {};
}
