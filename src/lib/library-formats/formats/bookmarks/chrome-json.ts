import { itemFrom } from '../../reading/item-from.js';
import { membersOf, secondsOf, textOf } from '../../reading/read-value.js';
import { treeFormat } from '../../reading/tree-format.js';

const ROOTS = [
  'roots.bookmark_bar.children',
  'roots.other.children',
  'roots.synced.children',
  'roots.custom_root',
];
/** The key of the folder in which Vivaldi and Opera keep deleted bookmarks. */
const TRASH = 'trash';

/**
 * The format of the file `Bookmarks` in the profile of Chrome, Edge, Brave, Vivaldi or Opera. The folders of a bookmark
 * become tags.
 */
export const chromeJson = treeFormat({
  name: 'chrome-json',
  recognitions: [{ has: ['roots', ROOTS] }],
  leftOut: {
    page: ['icon'],
    id: ['id', 'guid', 'type', 'sync_transaction_version', 'source'],
    setting: ['date_last_used', 'show_icon', 'visit_count', 'meta_info', 'unsynced_meta_info'],
  },
  // In the file, a folder of the browser itself is the value of a key such as `bookmark_bar`. A
  // folder of the user is an entry of a list, and has no key.
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
          folders: [folders],
          timeAdded: secondsOf(members.get('date_added')),
          timeUpdated: secondsOf(members.get('date_modified')),
          // Vivaldi stores the description of a bookmark in the field `Description`.
          note: textOf(membersOf(members.get('meta_info')).get('Description')),
        }),
});
