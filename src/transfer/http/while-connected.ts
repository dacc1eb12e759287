import type { Response } from 'express';

/** Express, the request log and each stream wait for the end of a response; Node warns of a leak at eleven. */
const MAX_LISTENERS = 20;

/** Answers a client that may go away, of which the signal tells: what fails after that is nobody's. */
export async function whileConnected(
  response: Response,
  answer: (gone: AbortSignal) => Promise<void>,
): Promise<void> {
  const gone = new AbortController();
  response.setMaxListeners(MAX_LISTENERS);
  response.once('close', () => {
    gone.abort();
  });
  try {
    await answer(gone.signal);
  } catch (error) {
    if (!gone.signal.aborted) {
      throw error;
    }
  }
}
