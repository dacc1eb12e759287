import { Socket } from 'node:net';

/**
 * Sends what is written in one turn of the event loop in one go. pg writes each statement to the socket by itself,
 * and a write that wakes the server costs as much as the statement.
 */
export class GatheringSocket extends Socket {
  override uncork(): void {
    process.nextTick(() => {
      super.uncork();
    });
  }
}
