/** An error whose message the popup or the settings page shows to the user. */
export class Problem extends Error {
  /**
   * Creates an error with a message for the user.
   * @param {string} text
   * @param {boolean} [needsConnection] True if the user must connect the extension again.
   */
  constructor(text, needsConnection = false) {
    super(text);
    this.needsConnection = needsConnection;
  }
}

/**
 * The message of an error, as the popup shows it.
 * @typedef {{ readonly text: string, readonly needsConnection: boolean }} ProblemShown
 */

/**
 * Returns the message to show for any thrown value.
 * @param {unknown} error
 * @returns {ProblemShown}
 */
export const shownOf = (error) =>
  error instanceof Problem
    ? { text: error.message, needsConnection: error.needsConnection }
    : { text: `Something went wrong: ${String(error)}`, needsConnection: false };

const NOT_CONNECTED = 'This extension is not connected to a Satchel yet.';

export const notConnected = () => new Problem(NOT_CONNECTED, true);

/** @param {string} server */
export const notAllowed = (server) =>
  new Problem(`This browser does not let the extension call ${server}. Connect again.`, true);

/** @param {string} server */
export const noAnswer = (server) =>
  new Problem(`${server} does not answer. Is it running, and are you online? Try again.`);

/** @param {string} server */
export const noSatchel = (server) =>
  new Problem(`What answers at ${server} is no Satchel. Look at the address.`);

/** Error messages for the codes that the API returns (docs/api/errors.md), keyed by code. */
const TEXTS = new Map([
  [107, 'The access of this extension was revoked. Connect again.'],
  [136, 'The key of this extension is not known any more, or is switched off. Connect again.'],
  [137, 'The access of this extension belongs to another key. Connect again.'],
  [151, 'The administrator does not let this extension do that.'],
  [152, 'The key of this extension is not known, or is switched off. Ask your administrator.'],
  [158, 'You have not given access. Connect again if that was not meant.'],
  [185, 'The question was open for too long. Connect again.'],
]);

const MENDED_BY_CONNECTING = new Set([107, 136, 137, 152, 158, 185]);

/**
 * Converts an error response of the server to an error with a message for the user.
 * @param {string} server
 * @param {Response} response
 */
export function refusalOf(server, response) {
  const code = Number(response.headers.get('X-Error-Code'));
  const text = TEXTS.get(code);
  if (text !== undefined) {
    return new Problem(text, MENDED_BY_CONNECTING.has(code));
  }
  if (response.status === 429 || response.status === 503) {
    const seconds = Number(response.headers.get('Retry-After') ?? 0);
    return new Problem(`${server} is busy. ${whenAgain(seconds)}`);
  }
  const reason = response.headers.get('X-Error');
  return reason === null ? noSatchel(server) : new Problem(`${server} says: ${reason}`);
}

/** @param {number} seconds */
function whenAgain(seconds) {
  const minutes = Math.ceil(seconds / 60);
  return seconds > 60 ? `Try again in ${minutes} minutes.` : 'Try again in a moment.';
}
