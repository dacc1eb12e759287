import { text } from './texts.js';

/** An error whose message the popup or the settings page shows to the user. */
export class Problem extends Error {
  /**
   * Creates an error with a message for the user.
   * @param {string} message
   * @param {boolean} [needsConnection] True if the user must connect the extension again.
   */
  constructor(message, needsConnection = false) {
    super(message);
    this.needsConnection = needsConnection;
  }
}

/** The server rejects a snapshot because it is too large. */
export class SnapshotTooLarge extends Problem {
  /**
   * @param {string} message
   * @param {number} maxBytes The server's maximum size of the HTML of a snapshot. 0 if it stores no snapshots.
   */
  constructor(message, maxBytes) {
    super(message);
    this.maxBytes = maxBytes;
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
    : { text: text('problem.unexpected', { error: String(error) }), needsConnection: false };

export const notConnected = () => new Problem(text('problem.notConnected'), true);

/** @param {string} server */
export const notAllowed = (server) => new Problem(text('problem.noPermission', { server }), true);

/** @param {string} server */
export const noAnswer = (server) => new Problem(text('problem.noAnswer', { server }));

/** @param {string} server */
export const noSatchel = (server) => new Problem(text('problem.notSatchel', { server }));

/**
 * Error messages for the codes that the API returns (docs/api/errors.md), keyed by code.
 * @type {Readonly<Record<number, import('./texts.js').TextKey>>}
 */
const KEYS = {
  107: 'problem.accessRevoked',
  136: 'problem.keyDisabled',
  137: 'problem.otherKey',
  151: 'problem.operationForbidden',
  152: 'problem.keyRejected',
  158: 'problem.accessDenied',
  185: 'problem.codeExpired',
};

const MENDED_BY_CONNECTING = new Set([107, 136, 137, 152, 158, 185]);

/**
 * Converts an error response of the server to an error with a message for the user.
 * @param {string} server
 * @param {Response} response
 */
export function refusalOf(server, response) {
  const code = Number(response.headers.get('X-Error-Code'));
  const key = KEYS[code];
  if (key !== undefined) {
    return new Problem(text(key), MENDED_BY_CONNECTING.has(code));
  }
  if (response.status === 429 || response.status === 503) {
    const seconds = Number(response.headers.get('Retry-After') ?? 0);
    return new Problem(busyText(server, seconds));
  }
  const reason = response.headers.get('X-Error');
  if (reason === null) {
    return noSatchel(server);
  }
  const message = text('problem.serverError', { server, reason });
  const limit = response.headers.get('X-Snapshot-Limit');
  return response.status === 413 && limit !== null
    ? new SnapshotTooLarge(message, Number(limit))
    : new Problem(message);
}

/**
 * @param {string} server
 * @param {number} seconds
 */
const busyText = (server, seconds) =>
  seconds > 60
    ? text('problem.busyForMinutes', { server, count: Math.ceil(seconds / 60) })
    : text('problem.busy', { server });
