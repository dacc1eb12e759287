import type { ItemRow } from '../list/item-row.js';

/** Clients show these and nothing else, so that they are never empty (docs/decisions/0016). */
export const resolvedUrlOf = ({ resolved_url, given_url }: ItemRow): string =>
  resolved_url || given_url;

export const resolvedTitleOf = ({ resolved_title, given_title, given_url }: ItemRow): string =>
  resolved_title || given_title || given_url;
