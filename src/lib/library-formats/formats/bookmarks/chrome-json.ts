import { itemFrom } from '../../reading/item-from.js';
import { membersOf, secondsOf, textOf } from '../../reading/read-value.js';
import { treeFormat } from '../../reading/tree-format.js';

const ROOTS = [
  'roots.bookmark_bar.children',
  'roots.other.children',
  'roots.synced.children',
  'roots.custom_root',
];
/** The key under which Vivaldi and Opera store deleted bookmarks. */
const TRASH = 'trash';

/** The format of the file `Bookmarks` in a profile of Chrome, Edge, Brave, Vivaldi or Opera. Folders become tags. */
export const chromeJson = treeFormat({
  name: 'chrome-json',
  recognitions: [{ has: ['roots', ROOTS] }],
  leftOut: {
    page: ['icon'],
    id: ['id', 'guid', 'type', 'sync_transaction_version', 'source'],
    setting: ['date_last_used', 'show_icon', 'visit_count', 'meta_info', 'unsynced_meta_info'],
  },
  // Folders of the browser itself have a key. Folders of the user have no keys.
  nameFolder: ({ key, members }) => {
    if (key === TRASH) {
      return undefined;
    }
    return key === '' ? textOf(members.get('name')) : '';
  },
  itemOf: (members, folders) =>
    members.peek('url') === undefined
      ? undefined
      : itemFrom({
          url: textOf(members.get('url')),
          title: textOf(members.get('name')),
          tags: folders,
          timeAdded: secondsOf(members.get('date_added')),
          timeUpdated: secondsOf(members.get('date_modified')),
          // Vivaldi stores the description of a bookmark in the field `Description`.
          note: textOf(membersOf(members.get('meta_info')).get('Description')),
        }),
});
