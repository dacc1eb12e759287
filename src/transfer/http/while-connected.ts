import type { Response } from 'express';

/** Answers a client that may go away, of which the signal tells: what fails after that is nobody's. */
export async function whileConnected(
  response: Response,
  answer: (gone: AbortSignal) => Promise<void>,
): Promise<void> {
  const gone = new AbortController();
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
