import { keepConnection } from './connection.js';
import { shownOf } from './problem.js';
import { call, isObject, textIn } from './service.js';

/**
 * An attempt to connect the extension to a server, in one browser tab. In this tab, the extension first reads the
 * consumer key from a web page of the server, and then opens the consent page.
 * @typedef {{ server: string, tabId: number, key: string, code: string }} Attempt
 */

const KEY_PATH = '/account/extension';
const ANSWERED = 'answered';

/** @param {string} server */
const returnAddress = (server) => `${server}${KEY_PATH}?done=${ANSWERED}`;

/** @returns {Promise<Attempt | undefined>} */
async function currentAttempt() {
  const { attempt } = await chrome.storage.session.get('attempt');
  if (!isObject(attempt)) {
    return undefined;
  }
  const [server, key, code] = [attempt['server'], attempt['key'], attempt['code']].map(textIn);
  return {
    server: server ?? '',
    tabId: Number(attempt['tabId']),
    key: key ?? '',
    code: code ?? '',
  };
}

/** @param {Attempt} attempt */
const keepAttempt = (attempt) => chrome.storage.session.set({ attempt });

const endAttempt = () => chrome.storage.session.remove('attempt');

/**
 * Starts a connection attempt in a new tab. Opens the server's web page that contains the consumer key. If the consumer
 * key is already known, opens the consent page instead.
 * @param {{ server: string, key: string }} wanted
 */
export async function beginConnecting({ server, key }) {
  await chrome.storage.session.remove('problem');
  const { id: tabId = -1 } = await chrome.tabs.create({
    url: key === '' ? `${server}${KEY_PATH}` : 'about:blank',
  });
  await keepAttempt({ server, tabId, key: '', code: '' });
  if (key !== '') {
    await reporting(() => askPerson({ server, tabId, key, code: '' }));
    return;
  }
  // If the tab has already loaded the web page, no further load event starts the next step. Start
  // it here.
  const tab = await chrome.tabs.get(tabId);
  if (tab.status === 'complete') {
    await advance(tabId, tab.url ?? '');
  }
}

/**
 * A promise chain that runs the steps of a connection attempt one after the other. Without the
 * chain, two steps could run at once, because the browser may report the same page load twice.
 */
let steps = Promise.resolve();

/**
 * Continues the connection attempt if the tab of this attempt has loaded a page. Ignores page loads in other tabs.
 * @param {number} tabId
 * @param {string} url
 */
export function advance(tabId, url) {
  steps = steps.then(() => reporting(() => step(tabId, url)));
  return steps;
}

/**
 * Runs the next step of the connection attempt. The URL that the tab has loaded determines the step.
 * @param {number} tabId
 * @param {string} url
 */
async function step(tabId, url) {
  const attempt = await currentAttempt();
  if (attempt?.tabId !== tabId || !url.startsWith(`${attempt.server}/`)) {
    return;
  }
  const path = new URL(url).pathname.slice(new URL(`${attempt.server}/`).pathname.length - 1);
  if (path === KEY_PATH) {
    await (attempt.code === '' ? useKeyOf(attempt) : exchange(attempt));
    return;
  }
  // After a login, the server may redirect the tab to another page. In this case, open the page
  // with the consumer key again.
  if (attempt.code === '' && !path.startsWith('/auth/')) {
    await chrome.tabs.update(tabId, { url: `${attempt.server}${KEY_PATH}` });
  }
}

/**
 * Reads the consumer key from the server's web page, and opens the consent page. Does nothing if
 * the page contains no key. The page shows the key only after the user has agreed to connect the
 * extension.
 * @param {Attempt} attempt
 */
async function useKeyOf(attempt) {
  const [found] = await chrome.scripting.executeScript({
    target: { tabId: attempt.tabId },
    func: () => document.querySelector('[data-consumer-key]')?.getAttribute('data-consumer-key'),
  });
  const key = textIn(found?.result);
  if (key !== '') {
    await askPerson({ ...attempt, key });
  }
}

/** @param {Attempt} attempt */
async function askPerson({ server, tabId, key }) {
  const back = returnAddress(server);
  const answer = await call(server, '/v3/oauth/request', {
    consumer_key: key,
    redirect_uri: back,
  });
  const code = textIn(answer['code']);
  await keepAttempt({ server, tabId, key, code });
  const query = new URLSearchParams({ request_token: code, redirect_uri: back });
  await chrome.tabs.update(tabId, { url: `${server}/auth/authorize?${query.toString()}` });
}

/** @param {Attempt} attempt */
async function exchange({ server, key, code }) {
  await endAttempt();
  const answer = await call(server, '/v3/oauth/authorize', { consumer_key: key, code });
  await keepConnection({
    server,
    key,
    token: textIn(answer['access_token']),
    username: textIn(answer['username']),
  });
}

/**
 * Ends the connection attempt if its tab was closed.
 * @param {number} tabId
 */
export async function giveUp(tabId) {
  const attempt = await currentAttempt();
  if (attempt?.tabId === tabId) {
    await endAttempt();
  }
}

/**
 * Runs a step of the connection attempt. If the step fails, stores the error, which the settings page shows.
 * @param {() => Promise<void>} work
 */
async function reporting(work) {
  try {
    await work();
  } catch (error) {
    await endAttempt();
    await chrome.storage.session.set({ problem: shownOf(error) });
  }
}
