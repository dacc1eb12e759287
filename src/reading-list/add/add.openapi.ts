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
  description: `UTC, zeros if unknown: ${description}.`,
});

/** Returns a schema that also allows an empty array, which replaces a missing object in an answer of add. */
const orNone = (things: Schema, description: string): Schema => ({
  anyOf: [things, { type: 'array', maxItems: 0 }],
  description: `${description}; an empty array if there are none.`,
});

/** The page of an item in an answer of add. */
export const ADDED_ITEM = objectOf<AddedItemResponse>(
  {
    item_id: ITEM_ID,
    normal_url: text('The URL as it was saved.'),
    resolved_id: digits(
      'The id of the page behind the URL, which is `item_id` where it lies at that URL; "0" until it was read.',
    ),
    extended_item_id: digits('As `resolved_id`.'),
    resolved_url: text('Where the URL leads; until the page is read the given URL.'),
    domain_id: digits('The domain of `resolved_url`.'),
    origin_domain_id: digits('The domain of `normal_url`.'),
    response_code: digits('The HTTP status that the page was answered with; "0" until then.'),
    mime_type: text('The type of the page.'),
    content_length: digits('Its bytes.'),
    encoding: text('Its character encoding.'),
    date_resolved: date('when the page was read'),
    date_published: date('when it was published'),
    title: text('The title of the page; until it is read the given one, else the URL.'),
    excerpt: text('The first lines of an article.'),
    word_count: digits('Words of the article.'),
    innerdomain_redirect: flag('1: the URL redirects within its domain.'),
    login_required: flag('1: the page wants a login.'),
    has_image: mediaFlag('images', 'an image'),
    has_video: mediaFlag('videos', 'a video'),
    is_index: flag('1 for a front or section page.'),
    is_article: flag('1 for an article.'),
    used_fallback: flag('1: the page could only be read in part.'),
    lang: text('The language by its two letters.'),
    time_first_parsed: digits('Unix seconds, "0" until the page was read.'),
    authors: orNone(AUTHORS_OF_PAGE, 'The authors'),
    images: orNone(IMAGES, 'The images'),
    videos: orNone(VIDEOS, 'The videos'),
    top_image_url: optional(text('The image that stands for the page.')),
    resolved_normal_url: text('The normal form of `resolved_url`.'),
    given_url: text('The URL as it was saved.'),
  },
  {
    description:
      'All values are text. Until the page is read `resolved_id` is "0", texts repeat what was given or are empty, counts and flags are "0"; what is found later reaches clients through `since`.',
  },
);

/** The answer of add. */
const ADDED = objectOf<AddResponse>({
  item: ref('AddedItem'),
  status: { const: 1 },
});

const URL_TO_ADD = 'https://www.rfc-editor.org/rfc/rfc9110';

/** An answer of add for an item whose page is not fetched yet. */
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
    summary: 'A URL and nothing else',
    body: { url: URL_TO_ADD },
    answer: ADDED_EXAMPLE,
  },
  wrong: {
    summary: 'A URL that is not of the web',
    body: { url: 'mailto:ada@example.com' },
    status: 400,
  },
};

export const ADD_OPERATION = v3Operation({
  id: 'add',
  summary: 'Save a page',
  description:
    'Permission: add. A page that is in the list already keeps its id, comes to the top, unread, and gets the tags besides those it has. For several pages use `/v3/send`.',
  request: {
    name: 'AddRequest',
    params: paramsOf(AddRequest),
    description: 'At most 6 MB.',
    examples: EXAMPLES,
  },
  answer: {
    status: 200,
    description: 'The item.',
    content: { 'application/json': ref('Added') },
  },
  errors: ['service_busy', 'storage_full'],
  schemas: { Added: ADDED, AddedItem: ADDED_ITEM },
});
