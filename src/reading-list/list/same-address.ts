import { normalAddress } from './address.js';

/** A URL of which the host and path are its normal form: nothing in it has another spelling but scheme, `www.` and slashes. */
const PLAIN = /^https?:\/\/(?:www\.)?((?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*(?:\/[\w~-][\w.~-]*)*)\/*$/;

/** True when both texts are spellings of one address; to normalise them takes fifty times as long as to compare plain ones. */
export function isSameAddress(one: string, other: string): boolean {
  if (one === other) {
    return true;
  }
  const plain = [one, other].map((url) => PLAIN.exec(url)?.[1]);
  const [first, second] = plain.includes(undefined)
    ? [one, other].map((url) => normalAddress(url)?.normalUrl)
    : plain;
  return first !== undefined && first === second;
}
