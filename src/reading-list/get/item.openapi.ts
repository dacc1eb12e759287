import {
  digits,
  keyed,
  objectOf,
  oneOfTexts,
  optional,
  ref,
  type Schema,
  text,
} from '../../platform/common/openapi.js';
import type { GetResponse } from './get.presenter.js';
import type { AnnotationResponse, ItemResponse, PassageResponse } from './item.presenter.js';
import type {
  AuthorResponse,
  FirstImageResponse,
  ImageResponse,
  VideoResponse,
} from './page.presenter.js';

export const flag = (description: string): Schema => oneOfTexts(['0', '1'], description);

export const mediaFlag = (things: string, thing: string): Schema =>
  oneOfTexts(['0', '1', '2'], `0 no ${things}, 1 has ${things}, 2 is ${thing}.`);

const time = (description: string): Schema =>
  digits(`Unix seconds, "0" for never: ${description}.`);

const whole = (description: string): Schema => ({ type: 'integer', minimum: 0, description });

export const ITEM_ID = digits('Identifies the item in its list; the same URL always has it.');

const NUMBER = { pattern: '^[1-9][0-9]*$' };

const PAGE_ID = digits('The id of the page that the item resolves to.');

const WIDTH = digits('Pixels, "0" if unknown.');

const AUTHOR = {
  author_id: digits('The id of the author.'),
  name: text('The name.'),
  url: text('Where the author is found; may be empty.'),
};

const byAuthorId = (author: Schema): Schema =>
  keyed(author, { names: { pattern: String.raw`^\d+$` }, description: 'By `author_id`.' });

/** The authors of an item in an answer of get. AUTHORS_OF_PAGE is the schema for add. */
const AUTHORS_OF_ITEM = byAuthorId(
  objectOf<AuthorResponse & { readonly item_id: string }>({ item_id: PAGE_ID, ...AUTHOR }),
);

export const AUTHORS_OF_PAGE = byAuthorId(objectOf<AuthorResponse>(AUTHOR));

const PASSAGE = objectOf<PassageResponse>(
  {
    text: text('Plain text of the article, never markup.'),
    matches: {
      type: 'array',
      items: { type: 'array', items: whole('In UTF-16 units.'), minItems: 2, maxItems: 2 },
      description: 'Where in the text what was found begins and ends.',
    },
  },
  {
    description:
      'With `q`, where the article has what was found; absent where the title alone has it.',
  },
);

const FIRST_IMAGE = objectOf<FirstImageResponse>(
  { item_id: PAGE_ID, src: text('Its URL.'), width: WIDTH, height: WIDTH },
  { description: 'The first image.' },
);

export const IMAGES = keyed(
  objectOf<ImageResponse>({
    item_id: PAGE_ID,
    image_id: digits('The number of the image, as its key.'),
    src: text('Its URL.'),
    width: WIDTH,
    height: WIDTH,
    credit: text('Whose it is; may be empty.'),
    caption: text('May be empty.'),
  }),
  { names: NUMBER, description: 'By number, from "1".' },
);

export const VIDEOS = keyed(
  objectOf<VideoResponse>({
    item_id: PAGE_ID,
    video_id: digits('The number of the video, as its key.'),
    src: text('Its URL.'),
    width: WIDTH,
    height: WIDTH,
    type: oneOfTexts(
      Array.from({ length: 10 }, (_, type) => String(type)),
      '1 YouTube, 2 to 4 Vimeo, 5 HTML5, 6 Flash, 7 iframe, 8 Brightcove, 9 Dailymotion, 0 unknown.',
    ),
    vid: text('The id at the site that shows it; may be empty.'),
    length: digits('Seconds, "0" if unknown.'),
  }),
  { names: NUMBER, description: 'By number, from "1".' },
);

const ANNOTATION_OF_ITEM = objectOf<AnnotationResponse>({
  annotation_id: text('Identifies it. `satchel-note-` and the item id for the note of the item.'),
  item_id: ITEM_ID,
  quote: text('Its words; empty for the note of the item.'),
  patch: text('Where it stands, as the client sent it.'),
  version: digits('How `patch` is written.'),
  created_at: text('When it was made, in UTC: YYYY-MM-DD HH:mm:ss.'),
  note: optional(text('What the user has written about it; absent when empty.')),
});

/** An item in an answer of get. */
export const ITEM = objectOf<ItemResponse>(
  {
    item_id: ITEM_ID,
    resolved_id: digits(
      'The id of the page behind the URL, which is `item_id` where it lies at that URL; "0" until it was read.',
    ),
    given_url: text('The URL as it was saved.'),
    given_title: text('The title as it was saved; may be empty.'),
    favorite: flag('1 for a favorite.'),
    status: oneOfTexts(['0', '1'], '0 unread, 1 archived; 2, deleted, is a stub of its own.'),
    time_added: time('when the item came to the top of the list'),
    time_updated: time('when it last changed'),
    time_read: time('when it was archived'),
    time_favorited: time('when it became a favorite'),
    sort_id: whole('The position in this answer, from 0.'),
    resolved_title: text('The title of the page; until it is read the given one, else the URL.'),
    resolved_url: text('Where the URL leads; until the page is read the given URL.'),
    excerpt: text('The first lines of an article; may be empty.'),
    is_article: flag('1 for an article.'),
    is_index: flag('1 for a front or section page.'),
    has_video: mediaFlag('videos', 'a video'),
    has_image: mediaFlag('images', 'an image'),
    word_count: digits('Words of the article.'),
    lang: text('The language by its two letters; may be empty.'),
    time_to_read: whole('Minutes; 0 for what is no article.'),
    top_image_url: optional(text('The image that stands for the page.')),
    tags: optional(
      keyed(
        objectOf<{ item_id: string; tag: string }>({ item_id: ITEM_ID, tag: text('Its name.') }),
        {
          names: { type: 'string' },
          description: 'The tags by name; in `complete`, or with `tags`.',
        },
      ),
    ),
    authors: optional(AUTHORS_OF_ITEM),
    image: optional(FIRST_IMAGE),
    images: optional(IMAGES),
    videos: optional(VIDEOS),
    domain_metadata: optional(
      objectOf<{ name: string }>(
        { name: text('Its name.') },
        { description: 'The site; in `complete`, or with `meta`.' },
      ),
    ),
    note: optional(text('What the user wrote about the page; in `complete`.')),
    annotations: optional({
      type: 'array',
      items: ANNOTATION_OF_ITEM,
      description:
        'With `annotations`: the note of the item as an annotation without a quote, then the highlights, the oldest first.',
    }),
    listen_duration_estimate: whole('Seconds to hear it read; 0 if unknown.'),
    passage: optional(PASSAGE),
  },
  { description: 'Flags, ids, counts and times are text. What an item does not have is absent.' },
);

/** The stub of a deleted item in a delta, in an answer of get. */
export const DELETED_ITEM = objectOf<Exclude<GetResponse['list'][string], ItemResponse>>(
  {
    item_id: ITEM_ID,
    status: { const: '2', description: 'Deleted.' },
    listen_duration_estimate: { const: 0 },
  },
  { description: 'The stub of a deleted item; only in answers to `since`.' },
);

/** The answer of get. */
export const ITEM_LIST = objectOf<GetResponse>({
  status: {
    enum: [1, 2],
    description: '1; in the classic dialect 2 for an empty list.',
  },
  complete: {
    enum: [0, 1],
    description: '1: this is the list. 0: this is what changed since `since`.',
  },
  list: keyed(
    { anyOf: [ref('Item'), ref('DeletedItem')] },
    {
      names: { pattern: String.raw`^\d+$` },
      description:
        'The items by id, in the order of `sort`, which `sort_id` repeats; then the stubs.',
    },
  ),
  error: { type: 'null', description: 'Always null: errors have a status of their own.' },
  search_meta: objectOf<GetResponse['search_meta']>(
    {
      search_type: { const: 'normal' },
      total_result_count: optional(whole('How many items were found.')),
      count: optional(whole('The `count` that counted.')),
      offset: optional(whole('The `offset`.')),
      has_more: optional({ type: 'boolean', description: 'There is a next page.' }),
    },
    { description: 'The numbers are there with `total` and `search` or `q` together.' },
  ),
  since: whole('Store it, and send it as `since` of the next call.'),
  maxActions: { const: 30, description: 'How many actions a considerate client sends at a time.' },
  cachetype: { const: 'db' },
  total: optional(digits('With `total`: the number of items on all pages together.')),
  tags: optional({
    type: 'array',
    items: { type: 'string' },
    description: 'With `taglist` or `forcetaglist`: the names of all tags.',
  }),
});
