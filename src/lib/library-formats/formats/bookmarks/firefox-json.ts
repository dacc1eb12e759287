import { itemFrom } from '../../reading/item-from.js';
import type { Members } from '../../reading/members.js';
import { listOf, membersOf, secondsOf, textOf } from '../../reading/read-value.js';
import { treeFormat } from '../../reading/tree-format.js';
import { mark } from '../../recognition.js';

const PLACES = mark('types of Mozilla', /"type"\s*:\s*"text\/x-moz-place/);
/** Matches the `guid` of a folder that Firefox itself creates, such as `toolbar_____`. */
const OWN_GUID = /^(?:root|menu|toolbar|unfiled|mobile|tags)_+$/;

/**
 * The format of bookmark backups from Firefox and browsers that are based on Firefox. The folders of a bookmark become
 * tags.
 */
export const firefoxJson = treeFormat({
  name: 'firefox-json',
  recognitions: [{ has: ['children', PLACES] }],
  leftOut: {
    page: ['charset', 'iconUri', 'iconuri', 'URIProperties/characterSet'],
    id: ['id', 'guid', 'index', 'parent', 'type', 'typeCode', 'placesInternal/GUID', 'sync/guid'],
    repeated: ['annos'],
    setting: ['bookmarkProperties/loadInSidebar', 'bookmarkPropertiesDialog/folderLastUsed'],
  },
  nameFolder: ({ members }) => (isOwn(members) ? '' : textOf(members.get('title'))),
  itemOf: (members, folders) => {
    if (members.peek('uri') === undefined) {
      return undefined;
    }
    nameAnnotations(members);
    return itemFrom({
      url: textOf(members.get('uri')),
      title: textOf(members.get('title')),
      tags: textOf(members.get('tags')).split(','),
      folders: [folders],
      timeAdded: secondsOf(members.get('dateAdded')),
      timeUpdated: secondsOf(members.get('lastModified')),
    });
  },
});

const isOwn = (members: Members): boolean =>
  members.peek('root') !== undefined || OWN_GUID.test(textOf(members.peek('guid')));

/**
 * Turns each annotation of a bookmark into a field. The import report then lists each kind of
 * annotation as not imported. Only old versions of Firefox write annotations.
 */
function nameAnnotations(members: Members): void {
  for (const annotation of listOf(members.get('annos')).map(membersOf)) {
    const name = textOf(annotation.get('name'));
    if (name.includes('/')) {
      members.set(name, annotation.get('value'));
    }
  }
}
