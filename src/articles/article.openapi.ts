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

const ARTICLE: SchemaObject = objectOf<ArticleResponse>(
  {
    item_id: ITEM_ID,
    given_url: text('The URL as it was saved.'),
    normal_url: text('The same value as `given_url`.'),
    resolved_normal_url: text('The normalized form of `resolvedUrl`.'),
    date_resolved: date('The time at which the page was last fetched, in UTC.'),
    domain_id: digits('The id of the domain of `resolvedUrl`.'),
    origin_domain_id: digits('The id of the domain of `given_url`.'),
    mime_type: text('The MIME type of the page.'),
    content_length: digits('The size of the page in bytes.'),
    encoding: text('The character encoding of the page.'),
    time_first_parsed: digits('The time at which the page was first fetched, in Unix seconds.'),
    has_old_dupes: oneOfTexts(['0'], 'Always 0.'),
    innerdomain_redirect: flag('1 if the URL redirects within its domain.'),
    time_to_read: whole('Estimated reading time in minutes.'),
    has_image: mediaFlag('images', 'an image'),
    has_video: mediaFlag('videos', 'a video'),
    resolved_id: digits('The id of the page, as in `/v3/get`.'),
    resolvedUrl: text('The URL of the page after all redirects.'),
    host: text('The host of `resolvedUrl`.'),
    title: text('The title of the page.'),
    datePublished: date('The time of publication in UTC, or zeros if unknown.'),
    timePublished: whole('The time of publication in Unix seconds, or 0 if unknown.'),
    responseCode: digits('The HTTP status that the site returned for the page.'),
    excerpt: text('The first lines of the article.'),
    wordCount: whole('The number of words in the article.'),
    isArticle: yesOrNo('1 if the page is an article.'),
    isVideo: yesOrNo('1 if the page is a video.'),
    isIndex: yesOrNo('1 if the page is a front page or a section page.'),
    usedFallback: yesOrNo('1 if only a part of the page could be extracted.'),
    requiresLogin: yesOrNo('1 if the page shows only a part of the article without a login.'),
    lang: text('The two-letter code of the language. Can be empty.'),
    topImageUrl: text('The URL of the main image of the page. Can be empty.'),
    domainMetadata: objectOf<ArticleResponse['domainMetadata']>(
      { name: text('The host name of the site.') },
      { description: 'The site of the page.' },
    ),
    authors: AUTHORS_OF_PAGE,
    images: IMAGES,
    videos: VIDEOS,
    article: text(
      'The article as HTML that is safe to show, with numbered placeholders for images and videos.',
    ),
  },
  {
    description:
      'An article. The keys of `images` and `videos` are the numbers of the placeholders in `article`.',
  },
);

const EXAMPLE_ID = '5952284834408592';
const PAGE = 'https://www.iana.org/help/example-domains';
const SENTENCE =
  'A number of domains are maintained for documentation, and users need not ask before they use them.';
const PARAGRAPH = [SENTENCE, SENTENCE, SENTENCE].join(' ');

/** The `images` field of the example response. It contains one picture with the address `src`. */
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

/** An example of an article response for the API documentation. */
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

/** An example of an article response for e-readers, whose picture addresses point to this service. */
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
    summary: 'A page that is not fetched yet',
    body: { url: 'https://www.rfc-editor.org/rfc/rfc9110' },
    status: 503,
  },
  strange: {
    summary: 'A URL that is not in the list',
    body: { url: 'https://www.example.com/' },
    status: 404,
  },
  wrong: {
    summary: 'A URL that is not an http or https URL',
    body: { url: 'mailto:ada@example.com' },
    status: 400,
  },
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
    description: `Permission: retrieve. Returns the article of an item in the list. Numbered placeholders mark the positions of pictures and videos. The fields \`images\` and \`videos\` contain the pictures and videos under the same numbers. ${facts.images} If the page is not fetched yet, the service fetches the page while the call waits for a short time. The service accepts and ignores the parameters \`videos\`, \`refresh\` and \`output\` of Pocket.`,
    request: {
      name: facts.name,
      params: paramsOf(ArticleRequest),
      description: 'A body of at most 64 KB.',
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
  summary: 'Get an article',
  images: 'The URLs of the pictures point to their original sites.',
  answer: TEXT_EXAMPLE,
});

export const DOWNLOAD_OPERATION = articleOperation({
  id: 'download',
  name: 'DownloadRequest',
  summary: 'Get an article on an e-reader',
  images:
    'The URLs of the pictures point to this service, which returns JPEG or PNG, scaled to the size of a screen.',
  answer: DOWNLOADED_EXAMPLE,
});
