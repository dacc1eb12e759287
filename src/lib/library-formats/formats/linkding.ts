import { itemFrom } from '../reading/item-from.js';
import { jsonFormat, noContext } from '../reading/json-format.js';
import type { Members } from '../reading/members.js';
import { flagOf, secondsOf, textOf, textsOf } from '../reading/read-value.js';

/**
 * The format of responses from linkding's `/api/bookmarks/`. The file can also contain only the
 * value of the field `results`.
 */
export const linkding = jsonFormat({
  name: 'linkding',
  recognitions: [
    { has: ['[].url', '[].tag_names', '[].date_added'] },
    { has: ['results.[].url', 'results.[].tag_names', 'results.[].date_added'] },
  ],
  leftOut: {
    page: ['description', 'website_description', 'favicon_url', 'preview_image_url'],
    id: ['id', 'web_archive_snapshot_url'],
    setting: ['shared', 'count', 'next', 'previous'],
    repeated: ['website_title'],
  },
  isNewestFirst: true,
  rowPaths: ['results.[]', '[]'],
  contextOf: noContext,
  itemOf: (members) =>
    itemFrom({
      url: textOf(members.get('url')),
      title: textOf(members.get('title')) || textOf(members.get('website_title')),
      tags: textsOf(members.get('tag_names')),
      status: statusOf(members),
      timeAdded: secondsOf(members.get('date_added')),
      timeUpdated: secondsOf(members.get('date_modified')),
      note: textOf(members.get('notes')),
    }),
});

/**
 * Returns the status of a bookmark. The status is archived if linkding has archived the bookmark, or if the bookmark is
 * not marked as unread. An import of linkding's HTML export sets the same status.
 */
function statusOf(members: Members): 0 | 1 | undefined {
  const [isArchived, isUnread] = [
    members.meaning('is_archived', flagOf),
    members.meaning('unread', flagOf),
  ];
  return isArchived === 1 || isUnread === undefined ? isArchived : isUnread === 1 ? 0 : 1;
}
