import {
  digits,
  keyed,
  objectOf,
  oneOfTexts,
  optional,
  type Schema,
  text,
} from '../../platform/common/openapi.js';
import type { AnnotationResponse, PassageResponse } from './annotation.presenter.js';
import type {
  AuthorResponse,
  FirstImageResponse,
  ImageResponse,
  VideoResponse,
} from './page.presenter.js';

export const flag = (description: string): Schema => oneOfTexts(['0', '1'], description);

export const mediaFlag = (things: string, thing: string): Schema =>
  oneOfTexts(
    ['0', '1', '2'],
    `0: the page has no ${things}. 1: the page has ${things}. 2: the page is ${thing}.`,
  );

export const time = (description: string): Schema =>
  digits(`${description}, in Unix seconds, or "0" for never.`);

export const whole = (description: string): Schema => ({
  type: 'integer',
  minimum: 0,
  description,
});

export const ITEM_ID = digits(
  'The id of the item in its list. The same URL always has the same id.',
);

const NUMBER = { pattern: '^[1-9][0-9]*$' };

/** The schema of the page id in an author, image or video of an item. */
const PART_PAGE_ID = digits('The id of the page that the item resolves to.');

export const PAGE_ID = digits(
  'The id of the page behind the URL. If the page has the saved URL, this id equals `item_id`. Until the page is fetched, the id is "0".',
);

export const STATUS = oneOfTexts(
  ['0', '1'],
  '0: unread. 1: archived. A deleted item is a stub with the status 2.',
);

export const WORD_COUNT = digits('The number of words in the article.');

export const TAGS = keyed(
  objectOf<{ item_id: string; tag: string }>({
    item_id: ITEM_ID,
    tag: text('The name of the tag.'),
  }),
  {
    names: { type: 'string' },
    description: 'The tags by name. Only with `detailType=complete` or `tags=1`.',
  },
);

export const SITE = objectOf<{ name: string }>(
  { name: text('The host name of the site.') },
  { description: 'The site of the page. Only with `detailType=complete` or `meta=1`.' },
);

const WIDTH = digits('The size in pixels, or "0" if unknown.');

const AUTHOR = {
  author_id: digits('The id of the author.'),
  name: text('The name of the author.'),
  url: text('The URL of the author. Can be empty.'),
};

const byAuthorId = (author: Schema): Schema =>
  keyed(author, {
    names: { pattern: String.raw`^\d+$` },
    description: 'The authors by `author_id`.',
  });

/** The schema of an item's authors in a response of `/v3/get`. AUTHORS_OF_PAGE is the schema for `/v3/add`. */
export const AUTHORS_OF_ITEM = byAuthorId(
  objectOf<AuthorResponse & { readonly item_id: string }>({ item_id: PART_PAGE_ID, ...AUTHOR }),
);

export const AUTHORS_OF_PAGE = byAuthorId(objectOf<AuthorResponse>(AUTHOR));

export const PASSAGE = objectOf<PassageResponse>(
  {
    text: text('Plain text of the article, never markup.'),
    matches: {
      type: 'array',
      items: {
        type: 'array',
        items: whole('An offset in UTF-16 units.'),
        minItems: 2,
        maxItems: 2,
      },
      description: 'The start and the end of each match in `text`.',
    },
  },
  {
    description: 'The part of the article that matches `q`. Missing if only the title matches.',
  },
);

export const FIRST_IMAGE = objectOf<FirstImageResponse>(
  { item_id: PART_PAGE_ID, src: text('The URL of the image.'), width: WIDTH, height: WIDTH },
  { description: 'The first image of the page.' },
);

export const IMAGES = keyed(
  objectOf<ImageResponse>({
    item_id: PART_PAGE_ID,
    image_id: digits('The number of the image, which is also the key of the image.'),
    src: text('The URL of the image.'),
    width: WIDTH,
    height: WIDTH,
    credit: text('The credit for the image. Can be empty.'),
    caption: text('The caption of the image. Can be empty.'),
  }),
  { names: NUMBER, description: 'The images by number, starting at "1".' },
);

export const VIDEOS = keyed(
  objectOf<VideoResponse>({
    item_id: PART_PAGE_ID,
    video_id: digits('The number of the video, which is also the key of the video.'),
    src: text('The URL of the video.'),
    width: WIDTH,
    height: WIDTH,
    type: oneOfTexts(
      Array.from({ length: 10 }, (_, type) => String(type)),
      'The type of the video. 1: YouTube. 2 to 4: Vimeo. 5: HTML5. 6: Flash. 7: iframe. 8: Brightcove. 9: Dailymotion. 0: unknown.',
    ),
    vid: text('The id of the video at its site. Can be empty.'),
    length: digits('The length in seconds, or "0" if unknown.'),
  }),
  { names: NUMBER, description: 'The videos by number, starting at "1".' },
);

const ANNOTATION_OF_ITEM = objectOf<AnnotationResponse>({
  annotation_id: text(
    'The id of the annotation. The note of the item has the id `satchel-note-` followed by the item id.',
  ),
  item_id: ITEM_ID,
  quote: text('The highlighted words, or empty text for the note of the item.'),
  patch: text('The position of the highlighted words, as the client sent it.'),
  version: digits('The version of the format of `patch`.'),
  created_at: text('The time of creation in UTC: YYYY-MM-DD HH:mm:ss.'),
  note: optional(text('The note of the user about the highlight or the item. Missing if empty.')),
});

export const ANNOTATIONS: Schema = {
  type: 'array',
  items: ANNOTATION_OF_ITEM,
  description:
    'The note of the item as an annotation without a quote, followed by the highlights, oldest first. Only with `annotations=1`.',
};
