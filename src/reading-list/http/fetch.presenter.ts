import { CHUNK, type FetchRequest, FIRST_CHUNK } from './fetch.request.js';
import type { WireGet } from './get.presenter.js';

/** The answer of fetch: that of get, with what the client needs to go on (docs/api/fetch.md). */
export interface WireFetch extends WireGet {
  readonly passthrough: {
    readonly firstChunkSize: string;
    readonly fetchChunkSize: string;
    readonly chunk: string;
  };
  /** Nothing is shared here; the original's app fails where these are missing. */
  readonly recent_friends?: readonly never[];
  readonly auto_complete_emails?: readonly never[];
  readonly unconfirmed_shares?: readonly never[];
}

export const presentFetch = (answer: WireGet, { chunk = 0, shares }: FetchRequest): WireFetch => ({
  ...answer,
  passthrough: {
    firstChunkSize: String(FIRST_CHUNK),
    fetchChunkSize: String(CHUNK),
    chunk: String(chunk),
  },
  ...(shares === true && { recent_friends: [], auto_complete_emails: [], unconfirmed_shares: [] }),
});
