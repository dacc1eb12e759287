import { normalAddress } from '../../src/reading-list/list/address.js';
import type { ReadingListApi } from './reading-list-api.js';
import type { TestApp } from './test-app.js';

/**
 * Adds an item as it was before routes were part of addresses: under the id of the address without its fragment. Returns
 * the id.
 */
export async function savedBeforeRoutes(
  app: TestApp,
  api: ReadingListApi,
  url: string,
  members: object = {},
): Promise<string> {
  const [root = ''] = url.split('#', 1);
  const itemId = await api.saved(root, members);
  await app.database.query(
    `UPDATE items SET given_url = $1, search_text = replace(search_text, $2, $1)
     WHERE user_id = $3 AND item_id = $4`,
    [url, root, api.user.id, itemId],
  );
  return itemId;
}

/** The id that an address has by itself. */
export const idOf = (url: string): string => normalAddress(url)!.itemId;
