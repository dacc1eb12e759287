import { normalAddress } from './address.js';

/** A host as `Address.domain` has it, from what a person would write; undefined when it is none. */
export const canonicalDomain = (text: string): string | undefined =>
  normalAddress(
    `http://${text
      .trim()
      .replace(/^https?:\/\//i, '')
      .replace(/^\./, '')}`,
  )?.domain;
