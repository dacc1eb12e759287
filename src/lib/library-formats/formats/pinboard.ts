import type { ItemToImport } from '../format.js';
import type { LeftOut } from '../not-imported.js';
import { itemFrom, type NoItem } from '../reading/item-from.js';
import { jsonFormat, noContext } from '../reading/json-format.js';
import type { Members } from '../reading/members.js';
import { firstText, secondsOf, textOf } from '../reading/read-value.js';

/**
 * The status of an item for each value of `toread`. If the user has not marked a bookmark as "to read", the item is
 * archived.
 */
const STATUSES = new Map<string, 0 | 1>([
  ['yes', 0],
  ['no', 1],
]);

export const PINBOARD_LEFT_OUT: LeftOut = {
  id: ['hash', 'meta'],
  setting: ['shared', 'date', 'user'],
};

/** The format of Pinboard's JSON backup, and of responses from the API methods `posts/all` and `posts/recent`. */
export const pinboard = jsonFormat({
  name: 'pinboard',
  recognitions: [
    { has: ['[].href', '[].description', '[].extended'] },
    { has: ['posts.[].href', 'posts.[].description', 'posts.[].extended'] },
  ],
  leftOut: PINBOARD_LEFT_OUT,
  isNewestFirst: true,
  rowPaths: ['[]', 'posts.[]'],
  contextOf: noContext,
  itemOf: (members) => pinboardItem(members),
});

/**
 * Returns the item of a bookmark. In Pinboard's format, `description` is the title and `extended` is the note. Blanks
 * separate the tags.
 */
export const pinboardItem = (members: Members): ItemToImport | NoItem =>
  itemFrom({
    url: textOf(members.get('href')),
    title: textOf(members.get('description')),
    tags: firstText(members, 'tags', 'tag').split(/\s+/),
    status: members.meaning('toread', (value) => STATUSES.get(textOf(value).toLowerCase())),
    timeAdded: secondsOf(members.get('time')),
    note: textOf(members.get('extended')),
  });
