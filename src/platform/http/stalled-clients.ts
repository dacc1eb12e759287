import type { Response } from 'express';

/** A client that takes nothing for so long has gone, whatever its connection says. */
const STALLED_MS = 2 * 60_000;

/** Cuts the connection of a client that has stopped taking the answer. */
export function endWhenStalled(response: Response): void {
  response.setTimeout(STALLED_MS, () => response.destroy());
}
