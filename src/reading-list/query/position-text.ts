import { decodePosition, encodePosition, type PagePosition, type SortKey } from './item-order.js';

export type ItemPosition = Extract<PagePosition, { kind: 'item' }>;

/** Returns a position in a list as opaque text for use in URLs. */
export const positionText = (position: PagePosition, sortKey: SortKey): string =>
  encodePosition(position, sortKey).toString('base64url');

/**
 * Parses the text of a position in a list with this sort order. Returns undefined if the text is
 * not the position of an item.
 */
export function positionIn(text: string, sortKey: SortKey): ItemPosition | undefined {
  const position = decoded(Buffer.from(text, 'base64url'), sortKey);
  return position?.kind === 'item' && positionText(position, sortKey) === text
    ? position
    : undefined;
}

/** The character U+0000. PostgreSQL cannot store it, so no sort key contains it. */
const NO_TEXT = '\u0000';

function decoded(bytes: Buffer, sortKey: SortKey): PagePosition | undefined {
  try {
    const position = decodePosition(bytes, sortKey);
    const isUnstorable = position.kind === 'item' && position.key.includes(NO_TEXT);
    return isUnstorable ? undefined : position;
  } catch {
    // The bytes are too short to contain a position in the list.
    return undefined;
  }
}
