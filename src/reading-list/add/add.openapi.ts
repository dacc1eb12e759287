import {
  type CallExample,
  digits,
  objectOf,
  optional,
  paramsOf,
  ref,
  type Schema,
  text,
} from '../../platform/common/openapi.js';
import { rowWithDefaults } from '../../platform/database/entity-columns.js';
import { v3Operation } from '../../pocket-api/v3.openapi.js';
import { ShownItem } from '../entities/item.entity.js';
import { AUTHORS_OF_PAGE, flag, IMAGES, ITEM_ID, mediaFlag, VIDEOS } from '../get/item.openapi.js';
import { type AddedItemResponse, type AddResponse, presentAdd } from './add.presenter.js';
import { AddRequest } from './add.request.js';

const date = (description: string): Schema => ({
  type: 'string',
  pattern: String.raw`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$`,
  description: `${description}, in UTC, or zeros if unknown.`,
});

/**
 * Returns a schema that also allows an empty array. `/v3/add` returns `[]` instead of an object
 * without entries.
 */
const orNone = (things: Schema, description: string): Schema => ({
  anyOf: [things, { type: 'array', maxItems: 0 }],
  description: `${description} of the page, or an empty array if the page has none.`,
});

/** The schema of the item in a response of `/v3/add`, with the data of its page. */
export const ADDED_ITEM = objectOf<AddedItemResponse>(
  {
    item_id: ITEM_ID,
    normal_url: text('The URL as it was saved.'),
    resolved_id: digits(
      'The id of the page behind the URL. If the page has the saved URL, this id equals `item_id`. Until the page is fetched, the id is "0".',
    ),
    extended_item_id: digits('The same value as `resolved_id`.'),
    resolved_url: text(
      'The URL of the page after all redirects. Until the page is fetched, the saved URL.',
    ),
    domain_id: digits('The id of the domain of `resolved_url`.'),
    origin_domain_id: digits('The id of the domain of `normal_url`.'),
    response_code: digits(
      'The HTTP status that the site returned for the page, or "0" until the page is fetched.',
    ),
    mime_type: text('The MIME type of the page.'),
    content_length: digits('The size of the page in bytes.'),
    encoding: text('The character encoding of the page.'),
    date_resolved: date('The time at which the page was last fetched'),
    date_published: date('The time of publication'),
    title: text(
      'The title of the page. Until the page is fetched, the title that the client sent, or the URL if there is no title.',
    ),
    excerpt: text('The first lines of the article.'),
    word_count: digits('The number of words in the article.'),
    innerdomain_redirect: flag('1 if the URL redirects within its domain.'),
    login_required: flag('1 if the page shows only a part of the article without a login.'),
    has_image: mediaFlag('images', 'an image'),
    has_video: mediaFlag('videos', 'a video'),
    is_index: flag('1 if the page is a front page or a section page.'),
    is_article: flag('1 if the page is an article.'),
    used_fallback: flag('1 if only a part of the page could be extracted.'),
    lang: text('The two-letter code of the language.'),
    time_first_parsed: digits(
      'The time at which the page was first fetched, in Unix seconds, or "0" until then.',
    ),
    authors: orNone(AUTHORS_OF_PAGE, 'The authors'),
    images: orNone(IMAGES, 'The images'),
    videos: orNone(VIDEOS, 'The videos'),
    top_image_url: optional(text('The URL of the main image of the page.')),
    resolved_normal_url: text('The normalized form of `resolved_url`.'),
    given_url: text('The URL as it was saved.'),
  },
  {
    description:
      'All values are text, except `authors`, `images` and `videos`. Until the page is fetched, `resolved_id`, counts and flags are "0", and texts are empty or repeat the values that the client sent. After the fetch, `/v3/get` with `since` returns the data of the page.',
  },
);

/** The schema of a response of `/v3/add`. */
const ADDED = objectOf<AddResponse>({
  item: ref('AddedItem'),
  status: { const: 1 },
});

const URL_TO_ADD = 'https://www.rfc-editor.org/rfc/rfc9110';

/** An example response of `/v3/add` for an item whose page is not fetched yet. */
const ADDED_EXAMPLE = presentAdd(
  rowWithDefaults(ShownItem, {
    item_id: '8820866062756984',
    given_url: URL_TO_ADD,
    given_title: 'HTTP Semantics',
    time_added: '1763800000',
    time_updated: '1763800000',
  }),
);

const EXAMPLES: Readonly<Record<string, CallExample>> = {
  page: {
    summary: 'A page with a title and two tags',
    body: { url: URL_TO_ADD, title: 'HTTP Semantics', tags: 'http,standards', time: 1763800000 },
    answer: ADDED_EXAMPLE,
  },
  bare: {
    summary: 'Only a URL',
    body: { url: URL_TO_ADD },
    answer: ADDED_EXAMPLE,
  },
  wrong: {
    summary: 'A URL that is not an http or https URL',
    body: { url: 'mailto:ada@example.com' },
    status: 400,
  },
};

export const ADD_OPERATION = v3Operation({
  id: 'add',
  summary: 'Save a page',
  description:
    'Permission: add. If the page is already in the list, the item keeps its id and its tags, gets the new tags, and moves to the top of the unread items. To save several pages, use `/v3/send`.',
  request: {
    name: 'AddRequest',
    params: paramsOf(AddRequest),
    description: 'A body of at most 6 MB.',
    examples: EXAMPLES,
  },
  answer: {
    status: 200,
    description: 'The saved item.',
    content: { 'application/json': ref('Added') },
  },
  errors: ['service_busy', 'storage_full'],
  schemas: { Added: ADDED, AddedItem: ADDED_ITEM },
});
