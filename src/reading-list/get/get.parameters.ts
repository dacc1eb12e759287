import type { SchemaObject } from 'openapi3-ts/oas31';

/** Documentation of the parameters of `/v3/get` (docs/api/get.md). */
export const GET_PARAMS = {
  list: {
    description:
      'The name of a saved list of the user. Case is ignored. Only items of this list, in its order unless the call has `sort`. The other filters narrow the list further. An item must have the tags of the list and of the call. If the list has a `search`, a `q` or a `contentType`, and the call has another one, that of the call replaces that of the list. An unknown name is an error.',
  },
  state: {
    description:
      '`unread` (also `queue`): only unread items. `archive` (also `read`): only archived items. `all`: both.',
    default: 'all',
  },
  favorite: {
    description: '1: only favorites. 0: only items that are not favorites. Missing: both.',
  },
  tag: {
    type: ['string', 'number'],
    maxLength: 200,
    description:
      'Only items with this tag. Case is ignored. `_untagged_`: only items without tags. Several tags, separated by commas, match no item.',
  },
  contentType: {
    description:
      '`article`: only items whose `is_article` is 1. `video`: only items whose `has_video` is 1 or 2. `image`: only items whose `has_image` is 2, which means that the page is an image. `all`: all items.',
    default: 'all',
  },
  sort: {
    description:
      '`newest` and `oldest` sort by the time of addition. Within a second, the order of addition decides. `title` sorts by title and ignores case. `site` sorts by domain and path. Equal titles and sites are sorted by id. `relevance` sorts the best matches for `q` first. `relevance` is the default with `q`, and means `newest` without `q`. `longest` and `shortest` always mean `newest`.',
    default: 'newest',
  },
  detailType: {
    description:
      '`complete` adds the tags, authors, images, videos, site name and note to each item.',
    default: 'simple',
  },
  search: {
    description:
      'Only items with this text in the saved or resolved title or URL. Case is ignored. `%` and `_` have no special meaning.',
  },
  q: {
    description:
      'Only items with these words in a title, the URL or the article. The syntax includes `two words`, `"a phrase"`, `-excluded` and `one or another`. The search also finds inflected forms in the language of the article, and ignores case and accents. Without `sort`, the best matches come first. If the article of an item matches, the item has `passage`, the matching part of the article. The search finds new items and newly fetched pages after a few seconds.',
  },
  domain: {
    type: 'string',
    maxLength: 300,
    description: 'Only items of this host and its subdomains. `www.` and case are ignored.',
  },
  since: {
    description:
      'The `since` of an earlier answer. The new answer contains only items that changed after the earlier answer and match all filters. If `state` is `all` or missing and the call has no other filter, the new answer also contains stubs of deleted items. The value is in Unix seconds. A number with thirteen or more digits is in milliseconds. A fraction is cut off, and 0 counts as missing. The value can also be an ISO 8601 date and time (`2025-11-22T10:00:00Z`), which is in UTC if it has no time zone. The answer is the whole list, with `complete` 1, if the value is older than the stored deletions. The service stores deletions for a year by default. The answer is also the whole list if the value is ahead of both the clock and the last change, or if a backup was restored after the earlier answer.',
  },
  updatedBefore: {
    description:
      'Only items whose last change was before this time. The formats are the same as for `since`.',
  },
  count: {
    description:
      'The page size, at most 30. In the dialect `classic`, the page size is at most 5000. The administrator can set another page size for a consumer key. A larger value becomes the maximum.',
    default: 30,
  },
  offset: {
    description: 'The position of the first item to return, in the order of `sort`.',
    default: 0,
  },
  total: {
    description: '1: the answer has `total`, the number of items on all pages.',
    default: 0,
  },
  taglist: {
    description:
      '1: the answer has `tags`, the names of all tags. With `since`, the answer has `tags` only if a tag has changed.',
    default: 0,
  },
  forcetaglist: {
    description: '1: the answer always has `tags`, the names of all tags.',
    default: 0,
  },
  tags: { description: '1: adds the tags to each item, as `complete` does.', default: 0 },
  authors: { description: '1: adds the authors to each item, as `complete` does.', default: 0 },
  images: { description: '1: adds the images to each item, as `complete` does.', default: 0 },
  videos: { description: '1: adds the videos to each item, as `complete` does.', default: 0 },
  meta: { description: '1: adds `domain_metadata` to each item, as `complete` does.', default: 0 },
  annotations: {
    description: '1: adds the field `annotations` to each item that has annotations or a note.',
    default: 0,
  },
  hasAnnotations: {
    description:
      '1: only items with annotations. 0: only items without annotations. Missing: both.',
  },
  item: { description: 'Only the item with this id.' },
  url: {
    type: 'string',
    maxLength: 4096,
    description:
      'Only the item with this URL, in any spelling. If no item has this URL, the list is empty. `item` wins over `url`.',
  },
} as const satisfies Readonly<Record<string, SchemaObject>>;

/** Documentation of the parameters of `/v3/fetch` (docs/api/fetch.md). */
export const FETCH_PARAMS = {
  offset: { description: 'The position of the first item to return.', default: 0 },
  count: {
    description:
      'The page size, at most 5000 in either dialect. A larger value becomes 5000. At `offset` 0, the page size is always 25.',
    default: 250,
  },
  chunk: {
    description:
      'The number that the client assigns to this page. The answer returns the number in `passthrough`.',
    default: 0,
  },
  since: GET_PARAMS.since,
  updatedBefore: GET_PARAMS.updatedBefore,
  hasAnnotations: GET_PARAMS.hasAnnotations,
  annotations: { ...GET_PARAMS.annotations, default: 1 },
  taglist: GET_PARAMS.taglist,
  forcetaglist: GET_PARAMS.forcetaglist,
  shares: {
    description:
      '1: the answer has `recent_friends`, `auto_complete_emails` and `unconfirmed_shares`, which are always empty.',
    default: 0,
  },
} as const satisfies Readonly<Record<string, SchemaObject>>;
