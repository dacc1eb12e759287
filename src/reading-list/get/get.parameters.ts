import type { SchemaObject } from 'openapi3-ts/oas31';

/** Documentation of the parameters of get (docs/api/get.md). */
export const GET_PARAMS = {
  state: {
    description:
      '`unread` (also `queue`): only unread items. `archive` (also `read`): only archived ones. `all`: both.',
    default: 'all',
  },
  favorite: {
    description: '1: only favorites. 0: only items that are not. Absent: both.',
  },
  tag: {
    type: ['string', 'number'],
    maxLength: 200,
    description:
      'Only items with this one tag, compared without case; `_untagged_`: only items without any. Several tags with commas between find nothing.',
  },
  contentType: {
    description:
      '`article`: `is_article` is 1. `video`: `has_video` is 1 or 2. `image`: `has_image` is 2, the item is one. `all` narrows nothing.',
    default: 'all',
  },
  sort: {
    description:
      '`newest` and `oldest` go by the time of addition, and within a second by the order in which items were added; `title` by the title without case, `site` by domain and path; the id decides between equals. `relevance` has what is most about `q` first, and is the default with `q`; without `q` it means `newest`, as `longest` and `shortest` always do.',
    default: 'newest',
  },
  detailType: {
    description:
      '`complete` adds tags, authors, images, videos and the name of the site to each item.',
    default: 'simple',
  },
  search: {
    description:
      'Only items with this text in a title or URL, given or resolved, without case. `%` and `_` are characters like any other.',
  },
  q: {
    description:
      'Only items with these words in a title, the URL or the article: `two words`, `"a phrase"`, `-excluded`, `one or another`, as inflected words of the language of the article, without case and accents. Without `sort` what is most about them comes first. Each item has `passage`, the place where its article has them. What was saved or read is found a few seconds later.',
  },
  domain: {
    type: 'string',
    maxLength: 300,
    description: 'Only items of this host and its subdomains; `www.` and case do not count.',
  },
  since: {
    description:
      'The `since` of an earlier answer: only what changed after it and passes every filter; with stubs of deleted items when `state` is `all` or absent and no other filter is given. Unix seconds; thirteen digits or more are milliseconds, a fraction is cut off, 0 is absent. An ISO 8601 date and time (`2025-11-22T10:00:00Z`) is read as such, in UTC where it names no zone. One that is older than deletions are remembered, a year unless set otherwise, is answered with the whole list and `complete` 1; so is one that no answer can have given, because it lies ahead of both the clock and the last change, or because a backup was restored since.',
  },
  updatedBefore: {
    description: 'Only items whose last change is before this time, written like `since`.',
  },
  count: {
    description:
      'How many items to return: at most 30, in the classic dialect at most 5000, unless the consumer key has a page size of its own. More is taken for the maximum.',
    default: 30,
  },
  offset: {
    description: 'The position of the first item to return, in the order of `sort`.',
    default: 0,
  },
  total: {
    description: '1: the answer has `total`, the number of items on all pages together.',
    default: 0,
  },
  taglist: {
    description:
      '1: the answer has `tags`, the names of all tags, unless none changed since `since`.',
    default: 0,
  },
  forcetaglist: {
    description: '1: the answer has `tags` whatever changed.',
    default: 0,
  },
  tags: { description: '1: each item has its tags, as in `complete`.', default: 0 },
  authors: { description: '1: each item has its authors, as in `complete`.', default: 0 },
  images: { description: '1: each item has its images, as in `complete`.', default: 0 },
  videos: { description: '1: each item has its videos, as in `complete`.', default: 0 },
  meta: { description: '1: each item has `domain_metadata`, as in `complete`.', default: 0 },
  annotations: {
    description: '1: each item that has annotations or a note has them in `annotations`.',
    default: 0,
  },
  hasAnnotations: {
    description: '1: only items that have annotations. 0: only items that have none. Absent: both.',
  },
  item: { description: 'Only the item with this id.' },
  url: {
    type: 'string',
    maxLength: 4096,
    description:
      'Only the item with this URL, in any spelling; nothing where it is not saved. `item` wins over it.',
  },
} as const satisfies Readonly<Record<string, SchemaObject>>;

/** Documentation of the parameters of fetch (docs/api/fetch.md). */
export const FETCH_PARAMS = {
  offset: { description: 'The position of the first item to return.', default: 0 },
  count: {
    description:
      'How many items to return, in either dialect: at most 5000, more is taken for that. At `offset` 0 it is always 25.',
    default: 250,
  },
  chunk: {
    description: 'The number that the client gives this page: handed back in `passthrough`.',
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
