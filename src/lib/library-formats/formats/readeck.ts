import { defined } from '../../util/defined.js';
import { similarHighlightColor } from '../../util/highlight-color.js';
import type { AnnotationToImport } from '../format.js';
import { itemFrom } from '../reading/item-from.js';
import { jsonFormat, noContext } from '../reading/json-format.js';
import type { Members } from '../reading/members.js';
import {
  firstText,
  flagOf,
  listOf,
  membersOf,
  secondsOf,
  textOf,
  textsOf,
} from '../reading/read-value.js';

/** The format of `bookmarks/<uid>/info.json` in Readeck's ZIP archive. Each file contains one bookmark. */
export const readeck = jsonFormat({
  name: 'readeck',
  recognitions: [{ has: ['UID', 'URL', 'Created', ['InitialURL', 'SiteName']] }],
  leftOut: {
    page: [
      ...['Domain', 'Site', 'SiteName', 'Published', 'Authors', 'Lang', 'TextDirection'],
      ...['DocumentType', 'Description', 'Text', 'WordCount', 'Duration', 'Embed', 'Links'],
    ],
    id: [
      ...['ID', 'UID', 'UserID', 'FilePath', 'Files', 'Annotations.[].id'],
      ...['Annotations.[].start_selector', 'Annotations.[].start_offset'],
      ...['Annotations.[].end_selector', 'Annotations.[].end_offset'],
    ],
    setting: ['State', 'Errors', 'ReadProgress', 'ReadAnchor'],
    repeated: ['InitialURL'],
  },
  rowPaths: [''],
  contextOf: noContext,
  itemOf: (members) =>
    itemFrom({
      url: firstText(members, 'URL', 'InitialURL'),
      title: textOf(members.get('Title')),
      tags: textsOf(members.get('Labels')),
      status: members.meaning('IsArchived', flagOf),
      favorite: members.meaning('IsMarked', flagOf),
      timeAdded: secondsOf(members.get('Created')),
      timeUpdated: secondsOf(members.get('Updated')),
      annotations: listOf(members.get('Annotations')).map((one) => annotationFrom(membersOf(one))),
    }),
});

/**
 * The format of `data.json` in Readeck's ZIP archive. This file contains users and the ids of bookmarks, but no saved
 * pages, so it contains no rows.
 */
export const readeckData = jsonFormat({
  name: 'readeck',
  recognitions: [{ has: ['Info.ReadeckVersion'] }],
  leftOut: { setting: ['Info', 'Users', 'Tokens', 'BookmarkCollections', 'Bookmarks'] },
  rowPaths: [],
  contextOf: noContext,
  itemOf: () => itemFrom({}),
});

/** The format of responses from Readeck's `/api/bookmarks`. */
export const readeckApi = jsonFormat({
  name: 'readeck-api',
  recognitions: [{ has: ['[].url', '[].is_marked', '[].labels', '[].href'] }],
  leftOut: {
    page: [
      ...['site', 'site_name', 'published', 'authors', 'lang', 'text_direction', 'document_type'],
      ...['description', 'word_count', 'reading_time', 'has_article', 'resources', 'type'],
    ],
    id: ['id', 'href'],
    setting: ['state', 'loaded', 'read_progress', 'is_deleted'],
  },
  rowPaths: ['[]'],
  contextOf: noContext,
  itemOf: (members) =>
    itemFrom({
      url: textOf(members.get('url')),
      title: textOf(members.get('title')),
      tags: textsOf(members.get('labels')),
      status: members.meaning('is_archived', flagOf),
      favorite: members.meaning('is_marked', flagOf),
      timeAdded: secondsOf(members.get('created')),
      timeUpdated: secondsOf(members.get('updated')),
    }),
});

const annotationFrom = (members: Members): AnnotationToImport =>
  defined<AnnotationToImport>({
    quote: textOf(members.get('text')),
    note: textOf(members.get('note')) || undefined,
    createdAt: secondsOf(members.get('created')),
    color: similarHighlightColor(members.get('color')),
  });
