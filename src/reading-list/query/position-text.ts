import { decodePosition, encodePosition, type PagePosition, type SortKey } from './item-order.js';

export type ItemPosition = Extract<PagePosition, { kind: 'item' }>;

/** A position as an address has it; opaque to people. */
export const positionText = (position: PagePosition, sortKey: SortKey): string =>
  encodePosition(position, sortKey).toString('base64url');

/** The position behind an item that the text names in this order; undefined for a text that no page has named. */
export function positionIn(text: string, sortKey: SortKey): ItemPosition | undefined {
  const position = decoded(Buffer.from(text, 'base64url'), sortKey);
  return position?.kind === 'item' && positionText(position, sortKey) === text
    ? position
    : undefined;
}

/** PostgreSQL has no text with this character, and no key that a page has named. */
const NO_TEXT = '\u0000';

function decoded(bytes: Buffer, sortKey: SortKey): PagePosition | undefined {
  try {
    const position = decodePosition(bytes, sortKey);
    const isUnstorable = position.kind === 'item' && position.key.includes(NO_TEXT);
    return isUnstorable ? undefined : position;
  } catch {
    // Shorter than any position.
    return undefined;
  }
}
