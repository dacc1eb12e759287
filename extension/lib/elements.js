import { isObject } from './service.js';

/**
 * The element with this id, which the page has.
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} type
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
 * Asks the background for something: a page of the extension may be closed at any time, and what it has begun goes on.
 * @param {import('./service.js').Members} message
 * @returns {Promise<{ value?: unknown, problem?: import('./problem.js').ProblemShown }>}
 */
export async function ask(message) {
  const answer = await chrome.runtime.sendMessage(message);
  return isObject(answer) ? answer : {};
}
