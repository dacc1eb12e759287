import { normalAddress } from '../../src/reading-list/list/address.js';
import type { ReadingListApi } from './reading-list-api.js';
import type { TestApp } from './test-app.js';

/**
 * Adds an item as an old version did, when addresses did not include routes: the item id ignores the fragment. Returns
 * that id.
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

/** Returns the item id of an address. */
export const idOf = (url: string): string => normalAddress(url)!.itemId;
