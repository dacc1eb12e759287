import type { SchemaObject } from 'openapi3-ts/oas31';

import {
  type CallExample,
  digits,
  objectOf,
  oneOfTexts,
  paramsOf,
  ref,
  type Schema,
  text,
} from '../platform/common/openapi.js';
import { v3Operation } from '../pocket-api/v3.openapi.js';
import {
  AUTHORS_OF_PAGE,
  flag,
  IMAGES,
  ITEM_ID,
  mediaFlag,
  VIDEOS,
} from '../reading-list/get/item.openapi.js';
import type { ArticleResponse } from './article.presenter.js';
import { ArticleRequest } from './article.request.js';

const date = (description: string): Schema => ({
  type: 'string',
  pattern: String.raw`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$`,
  description,
});
const whole = (description: string): Schema => ({ type: 'integer', description });
const yesOrNo = (description: string): Schema => ({ enum: [0, 1], description });

/** Schema of the response of the article view. */
const ARTICLE: SchemaObject = objectOf<ArticleResponse>(
  {
    item_id: ITEM_ID,
    given_url: text('The URL as it was saved.'),
    normal_url: text('As `given_url`.'),
    resolved_normal_url: text('The normal form of `resolvedUrl`.'),
    date_resolved: date('When the page was read, in UTC.'),
    domain_id: digits('The domain of `resolvedUrl`.'),
    origin_domain_id: digits('The domain of `given_url`.'),
    mime_type: text('The type of the page.'),
    content_length: digits('Its bytes.'),
    encoding: text('Its character encoding.'),
    time_first_parsed: digits('When the page was first read: Unix seconds.'),
    has_old_dupes: oneOfTexts(['0'], 'Always 0.'),
    innerdomain_redirect: flag('1: the URL redirects within its domain.'),
    time_to_read: whole('Minutes.'),
    has_image: mediaFlag('images', 'an image'),
    has_video: mediaFlag('videos', 'a video'),
    resolved_id: digits('As in `/v3/get`.'),
    resolvedUrl: text('Where the URL leads.'),
    host: text('The host of `resolvedUrl`.'),
    title: text('The title of the page.'),
    datePublished: date('When it was published, in UTC; zeros if unknown.'),
    timePublished: whole('The same in Unix seconds; 0 if unknown.'),
    responseCode: digits('The HTTP status that the page was answered with.'),
    excerpt: text('The first lines.'),
    wordCount: whole('Words of the article.'),
    isArticle: yesOrNo('1 for an article.'),
    isVideo: yesOrNo('1 for a page that is a video.'),
    isIndex: yesOrNo('1 for a front or section page.'),
    usedFallback: yesOrNo('1: the page could only be read in part.'),
    requiresLogin: yesOrNo('1: the page wants a login.'),
    lang: text('The language by its two letters; may be empty.'),
    topImageUrl: text('The image that stands for the page; may be empty.'),
    domainMetadata: objectOf<ArticleResponse['domainMetadata']>(
      { name: text('Its name.') },
      { description: 'The site.' },
    ),
    authors: AUTHORS_OF_PAGE,
    images: IMAGES,
    videos: VIDEOS,
    article: text('The article as HTML that is safe to show, with marks for images and videos.'),
  },
  { description: 'An article; `images` and `videos` have the numbers of the marks in its text.' },
);

const EXAMPLE_ID = '5952284834408592';
const PAGE = 'https://www.iana.org/help/example-domains';
const SENTENCE =
  'A number of domains are maintained for documentation, and users need not ask before they use them.';
const PARAGRAPH = [SENTENCE, SENTENCE, SENTENCE].join(' ');

/** The `images` field of an example response, with one picture at `src`. */
const pictureAt = (src: string): object => ({
  '1': {
    item_id: EXAMPLE_ID,
    image_id: '1',
    src,
    width: '640',
    height: '360',
    credit: '',
    caption: '',
  },
});

/** Example response of the article view. */
const TEXT_EXAMPLE = {
  item_id: EXAMPLE_ID,
  given_url: PAGE,
  normal_url: PAGE,
  resolved_normal_url: 'http://iana.org/help/example-domains',
  date_resolved: '2025-11-22 08:26:43',
  domain_id: '1627097748',
  origin_domain_id: '1627097748',
  mime_type: 'text/html',
  content_length: '461',
  encoding: 'UTF-8',
  time_first_parsed: '1763800003',
  has_old_dupes: '0',
  innerdomain_redirect: '0',
  time_to_read: 0,
  has_image: '1',
  has_video: '0',
  resolved_id: EXAMPLE_ID,
  resolvedUrl: PAGE,
  host: 'www.iana.org',
  title: 'Example Domains',
  datePublished: '0000-00-00 00:00:00',
  timePublished: 0,
  responseCode: '200',
  excerpt: PARAGRAPH,
  wordCount: 51,
  isArticle: 1,
  isVideo: 0,
  isIndex: 0,
  usedFallback: 0,
  requiresLogin: 0,
  lang: 'en',
  topImageUrl: 'https://www.iana.org/map.png',
  domainMetadata: { name: 'www.iana.org' },
  authors: {},
  videos: {},
  images: pictureAt('https://www.iana.org/map.png'),
  article: `<div><article><!--IMG_1--><p>${PARAGRAPH}</p></article></div>`,
};

/** Example response for an e-reader, which fetches pictures from this service. */
const DOWNLOADED_EXAMPLE = {
  ...TEXT_EXAMPLE,
  images: pictureAt('https://satchel.example/images/1/1/6vJ0nBq3VwJt5s0b4m0dNw2Xx1yGk7aQ'),
};

const examples = (answer: unknown): Readonly<Record<string, CallExample>> => ({
  article: {
    summary: 'An article',
    body: { url: PAGE, images: 1 },
    answer,
  },
  unread: {
    summary: 'A page that is not read yet',
    body: { url: 'https://www.rfc-editor.org/rfc/rfc9110' },
    status: 503,
  },
  strange: {
    summary: 'What is not in the list',
    body: { url: 'https://www.example.com/' },
    status: 404,
  },
  wrong: { summary: 'What is no page', body: { url: 'mailto:ada@example.com' }, status: 400 },
});

const articleOperation = (facts: {
  readonly id: string;
  readonly name: string;
  readonly summary: string;
  readonly images: string;
  readonly answer: unknown;
}) =>
  v3Operation({
    id: facts.id,
    summary: facts.summary,
    description: `Permission: retrieve. The text of an item of the list, with marks in the places of its pictures and videos, which stand in \`images\` and \`videos\` under the same numbers. ${facts.images} A page that is not read yet is read while the call waits, for a moment. The original's parameters \`videos\`, \`refresh\` and \`output\` are accepted and ignored.`,
    request: {
      name: facts.name,
      params: paramsOf(ArticleRequest),
      description: 'At most 64 KB.',
      examples: examples(facts.answer),
    },
    answer: {
      status: 200,
      description: 'The article.',
      content: { 'application/json': ref('Article') },
    },
    errors: ['item_not_found', 'no_article', 'page_not_read'],
    schemas: { Article: ARTICLE },
  });

export const TEXT_OPERATION = articleOperation({
  id: 'text',
  name: 'TextRequest',
  summary: 'Read an article',
  images: 'The addresses of pictures are those of their site.',
  answer: TEXT_EXAMPLE,
});

export const DOWNLOAD_OPERATION = articleOperation({
  id: 'download',
  name: 'DownloadRequest',
  summary: 'Read an article on an e-reader',
  images: 'Pictures come from this service, as JPEG or PNG of the size of a screen.',
  answer: DOWNLOADED_EXAMPLE,
});
