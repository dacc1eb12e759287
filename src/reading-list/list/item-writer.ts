import type { EntityManager } from 'typeorm';

import { run, type Statement } from '../../database/statements.js';
import { normalAddress } from './address.js';
import { arrayLiteral } from './array-literal.js';
import { searchText, titleKey } from './item-keys.js';
import type { ChangedItem, ListChanges } from './list-changes.js';

const DELETE = `DELETE FROM items WHERE user_id = $1 AND item_id = ANY ($2::bigint[])`;

const UPDATE = `
    UPDATE items AS item
    SET stamp = $2, status = row.status, favorite = row.favorite, tags = row.tags::text[],
        time_added = row.time_added, added_sequence = row.added_sequence, time_read = row.time_read,
        time_favorited = row.time_favorited, time_updated = row.time_updated, imported_as_of = row.imported_as_of
    FROM unnest($3::bigint[], $4::smallint[], $5::smallint[], $6::text[], $7::bigint[], $8::integer[], $9::bigint[],
                $10::bigint[], $11::bigint[], $12::bigint[])
         AS row (item_id, status, favorite, tags, time_added, added_sequence, time_read, time_favorited, time_updated,
                 imported_as_of)
    WHERE item.user_id = $1 AND item.item_id = row.item_id`;

/** What the resolver found stays with an item that was there before. */
const WRITE = `
    INSERT INTO items (user_id, stamp, item_id, status, favorite, tags, time_added, added_sequence, time_read,
      time_favorited, time_updated, imported_as_of, given_url, given_title, prefers_given_title, title_key, url_key,
      search_text)
    SELECT $1, $2, item_id, status, favorite, tags::text[], time_added, added_sequence, time_read,
      time_favorited, time_updated, imported_as_of, given_url, given_title, prefers_given_title, title_key, url_key,
      search_text
    FROM unnest($3::bigint[], $4::smallint[], $5::smallint[], $6::text[], $7::bigint[], $8::integer[], $9::bigint[],
                $10::bigint[], $11::bigint[], $12::bigint[], $13::text[], $14::text[], $15::boolean[], $16::text[],
                $17::text[], $18::text[])
         AS row (item_id, status, favorite, tags, time_added, added_sequence, time_read, time_favorited, time_updated,
                 imported_as_of, given_url, given_title, prefers_given_title, title_key, url_key, search_text)
    ON CONFLICT (user_id, item_id) DO UPDATE SET
      stamp = excluded.stamp, time_updated = excluded.time_updated, status = excluded.status,
      favorite = excluded.favorite, tags = excluded.tags, time_added = excluded.time_added,
      added_sequence = excluded.added_sequence, time_read = excluded.time_read, time_favorited = excluded.time_favorited, imported_as_of = excluded.imported_as_of,
      given_url = excluded.given_url, given_title = excluded.given_title,
      prefers_given_title = excluded.prefers_given_title, title_key = excluded.title_key,
      url_key = excluded.url_key, search_text = excluded.search_text`;

/** Writes the rows of `items`: those that go, those of which the state changed, those with other texts. */
export function writeItems(
  manager: EntityManager,
  owner: readonly [userId: string, stamp: string],
  { deleted, updated, written }: ListChanges,
): Promise<unknown> {
  const statements: Statement[] = [];
  if (deleted.length > 0) {
    statements.push({ text: DELETE, values: [owner[0], deleted] });
  }
  if (updated.length > 0) {
    statements.push({ text: UPDATE, values: [...owner, ...stateColumns(updated)] });
  }
  if (written.length > 0) {
    statements.push({
      text: WRITE,
      values: [...owner, ...stateColumns(written), ...textColumns(written)],
    });
  }
  return Promise.all(statements.map((one) => run(manager, one)));
}

const stateColumns = (items: readonly ChangedItem[]): unknown[] => [
  items.map(({ itemId }) => itemId),
  items.map(({ state }) => state.status),
  items.map(({ state }) => state.favorite),
  items.map(({ tags }) => arrayLiteral(tags)),
  items.map(({ state }) => state.timeAdded),
  items.map(({ state }) => state.addedSequence),
  items.map(({ state }) => state.timeRead),
  items.map(({ state }) => state.timeFavorited),
  items.map(({ timeUpdated }) => timeUpdated),
  items.map(({ importedAsOf }) => importedAsOf),
];

const textColumns = (items: readonly ChangedItem[]): unknown[] => [
  items.map(({ state }) => state.givenUrl),
  items.map(({ state }) => state.givenTitle),
  items.map(({ state }) => state.prefersGivenTitle),
  items.map(({ texts }) => titleKey(texts)),
  items.map(({ state }) => normalAddress(state.givenUrl)?.urlKey ?? ''),
  items.map(({ texts }) => searchText(texts)),
];
