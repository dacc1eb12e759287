import type { Response } from 'express';

/** The time in milliseconds after which a client that reads nothing is disconnected. */
const STALLED_MS = 2 * 60_000;
/** How many times as long a client that has read everything so far waits for the service. */
const MOST_WAITS = 5;

/**
 * Closes the connection of a client that has stopped reading the response. A client that has read everything so far
 * waits longer, because the service can need more time for the next part.
 */
export function endWhenStalled(response: Response, limitMs = STALLED_MS): void {
  let sent = 0;
  let waits = 0;
  response.on('timeout', () => {
    const bytes = response.socket?.bytesWritten ?? 0;
    waits = bytes === sent ? waits + 1 : 1;
    sent = bytes;
    if (response.writableLength > 0 || response.writableEnded || waits >= MOST_WAITS) {
      response.destroy();
    } else {
      response.setTimeout(limitMs);
    }
  });
  response.setTimeout(limitMs);
}
