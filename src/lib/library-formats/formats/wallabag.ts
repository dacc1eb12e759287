import { defined } from '../../util/defined.js';
import type { AnnotationToImport, DetailsToImport, ItemToImport } from '../format.js';
import type { LeftOut } from '../not-imported.js';
import { itemFrom, type NoItem } from '../reading/item-from.js';
import { jsonFormat, noContext } from '../reading/json-format.js';
import type { Members } from '../reading/members.js';
import {
  countOf,
  flagOf,
  joinTexts,
  listOf,
  membersOf,
  rangesOf,
  secondsOf,
  tagsOf,
  textOf,
} from '../reading/read-value.js';

/**
 * JSON paths that exist in linkding's export but not in wallabag's export. They distinguish the two exports, which both
 * contain `is_archived`.
 */
const OF_LINKDING = ['[].tag_names', '[].date_added', '[].website_title'];

export const WALLABAG_LEFT_OUT: LeftOut = {
  page: [
    ...['content', 'mimetype', 'language', 'reading_time', 'domain_name', 'preview_picture'],
    ...['published_at', 'published_by', 'http_status', 'headers', 'is_not_parsed'],
  ],
  id: [
    ...['uid', 'user_id', 'user_name', 'user_email', 'user', 'hashed_url', 'hashed_given_url'],
    ...['_links', '_embedded.items.[]._links', 'tags.[].id', 'annotations.[].id'],
    ...['annotations.[].user', 'annotations.[].annotator_schema_version'],
  ],
  setting: ['is_public', 'page', 'limit', 'pages', 'total', 'annotations.[].updated_at'],
  repeated: ['given_url', 'tags.[].slug'],
};

/** The format of wallabag's JSON export in all versions, and of the responses of wallabag's API. */
export const wallabag = jsonFormat({
  name: 'wallabag',
  recognitions: [
    { has: ['[].url', ['[].is_archived', '[].is_fav']], hasNot: OF_LINKDING },
    { has: ['_embedded.items.[].url', '_embedded.items.[].is_archived'] },
  ],
  leftOut: WALLABAG_LEFT_OUT,
  rowPaths: ['[]', '_embedded.items.[]'],
  contextOf: noContext,
  itemOf: (members) => wallabagItem(members),
});

/**
 * Returns the item for an entry of wallabag. An annotation without a quote and without a range becomes a note about the
 * whole page.
 */
export function wallabagItem(members: Members): ItemToImport | NoItem {
  const annotations = listOf(members.get('annotations')).map((one) => passageOf(membersOf(one)));
  return itemFrom({
    url: textOf(members.get('url')),
    title: textOf(members.get('title')),
    tags: tagsOf(members.get('tags'), 'label', 'slug'),
    status: members.meaning('is_archived', flagOf) ?? members.meaning('is_read', flagOf),
    favorite: members.meaning('is_starred', flagOf) ?? members.meaning('is_fav', flagOf),
    timeAdded: secondsOf(members.get('created_at')),
    timeUpdated: secondsOf(members.get('updated_at')),
    timeRead: secondsOf(members.get('archived_at')),
    timeFavorited: secondsOf(members.get('starred_at')),
    number: countOf(members.get('id')),
    annotations: annotations.filter((one) => !isPageNote(one)),
    note: joinTexts(...annotations.filter(isPageNote).map(({ note = '' }) => note)),
    details: detailsOf(members),
  });
}

/**
 * Returns the details of a page. The only imported detail is the address at which the user found the link, because
 * Satchel extracts the other details from the page itself.
 */
function detailsOf(members: Members): DetailsToImport | undefined {
  const originUrl = textOf(members.get('origin_url'));
  return originUrl === '' ? undefined : { originUrl };
}

const isPageNote = ({ quote, ranges }: AnnotationToImport): boolean =>
  quote.trim() === '' && ranges === undefined;

const passageOf = (members: Members): AnnotationToImport =>
  defined<AnnotationToImport>({
    quote: textOf(members.get('quote')),
    note: textOf(members.get('text')) || undefined,
    ranges: rangesOf(members.get('ranges')),
    createdAt: secondsOf(members.get('created_at')),
  });
