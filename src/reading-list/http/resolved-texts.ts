import { shownTitle } from '../list/item-keys.js';
import type { ItemRow } from '../list/item-row.js';
import { isSameAddress } from '../list/same-address.js';

/** Clients show these and nothing else, so that they are never empty (docs/decisions/0016). */
export const resolvedUrlOf = ({ resolved_url, given_url }: ItemRow): string =>
  resolved_url || given_url;

export const resolvedTitleOf = (row: ItemRow): string =>
  shownTitle({
    givenUrl: row.given_url,
    givenTitle: row.given_title,
    prefersGivenTitle: row.prefers_given_title,
    resolvedTitle: row.resolved_title,
  });

const UNREAD = '0';

/** The original gave pages the ids of items: a page that lies where its item was saved has the id of that. */
export const resolvedIdOf = (row: ItemRow): string =>
  row.resolved_id !== UNREAD && isSameAddress(row.given_url, row.resolved_url)
    ? row.item_id
    : row.resolved_id;
