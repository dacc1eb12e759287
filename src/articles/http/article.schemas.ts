import type { SchemaObject } from 'openapi3-ts/oas31';

import { digits, objectOf, oneOfTexts, type Schema, text } from '../../common/openapi/schema.js';
import { flag, ITEM_ID, mediaFlag } from '../../reading-list/http/item.schemas.js';
import { AUTHORS_OF_PAGE, IMAGES, VIDEOS } from '../../reading-list/http/media.schemas.js';
import type { WireArticle } from './article.presenter.js';

const date = (description: string): Schema => ({
  type: 'string',
  pattern: String.raw`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$`,
  description,
});
const whole = (description: string): Schema => ({ type: 'integer', description });
const yesOrNo = (description: string): Schema => ({ enum: [0, 1], description });

/** The answer of the article view. */
export const ARTICLE: SchemaObject = objectOf<WireArticle>(
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
    domainMetadata: objectOf<WireArticle['domainMetadata']>(
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
