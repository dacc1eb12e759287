import {
  digits,
  keyed,
  objectOf,
  oneOfTexts,
  type Schema,
  text,
} from '../../common/openapi/schema.js';
import type { WireAuthor, WireFirstImage, WireImage, WireVideo } from './media.presenter.js';

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

/** Authors as get shows them, and as add does. */
export const AUTHORS_OF_ITEM = byAuthorId(
  objectOf<WireAuthor & { readonly item_id: string }>({ item_id: PAGE_ID, ...AUTHOR }),
);
export const AUTHORS_OF_PAGE = byAuthorId(objectOf<WireAuthor>(AUTHOR));

export const FIRST_IMAGE = objectOf<WireFirstImage>(
  { item_id: PAGE_ID, src: text('Its URL.'), width: WIDTH, height: WIDTH },
  { description: 'The first image.' },
);

export const IMAGES = keyed(
  objectOf<WireImage>({
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
  objectOf<WireVideo>({
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
