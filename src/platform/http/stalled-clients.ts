import type { Response } from 'express';

/** The time in milliseconds after which a client that reads nothing is disconnected. */
const STALLED_MS = 2 * 60_000;

/** Closes the connection of a client that has stopped reading the response. */
export function endWhenStalled(response: Response): void {
  response.setTimeout(STALLED_MS, () => response.destroy());
}
