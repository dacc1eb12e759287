import type { Response } from 'express';

/** A client that reads nothing for this time is gone, even if the connection is still open. */
const STALLED_MS = 2 * 60_000;

/** Closes the connection of a client that has stopped reading the response. */
export function endWhenStalled(response: Response): void {
  response.setTimeout(STALLED_MS, () => response.destroy());
}
