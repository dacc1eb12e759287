const ITEM_ID = '5952284834408592';
const PAGE = 'https://www.iana.org/help/example-domains';
const SENTENCE =
  'A number of domains are maintained for documentation, and nobody needs to ask before they use one.';
const PARAGRAPH = [SENTENCE, SENTENCE, SENTENCE].join(' ');

/** The picture of the article, where it is got from. */
const pictureAt = (src: string): object => ({
  '1': {
    ...{ item_id: ITEM_ID, image_id: '1', src, width: '640', height: '360' },
    ...{ credit: '', caption: '' },
  },
});

/** The answer of the article view. */
export const TEXT_EXAMPLE = {
  ...{ item_id: ITEM_ID, given_url: PAGE, normal_url: PAGE },
  resolved_normal_url: 'http://iana.org/help/example-domains',
  ...{ date_resolved: '2025-11-22 08:26:43', domain_id: '1627097748' },
  ...{ origin_domain_id: '1627097748', mime_type: 'text/html', content_length: '461' },
  ...{ encoding: 'UTF-8', time_first_parsed: '1763800003', has_old_dupes: '0' },
  ...{ innerdomain_redirect: '0', time_to_read: 0, has_image: '1', has_video: '0' },
  ...{ resolved_id: ITEM_ID, resolvedUrl: PAGE, host: 'www.iana.org', title: 'Example Domains' },
  ...{ datePublished: '0000-00-00 00:00:00', timePublished: 0, responseCode: '200' },
  excerpt: `${SENTENCE} ${SENTENCE} A number of domains are maintained for…`,
  ...{ wordCount: 51, isArticle: 0, isVideo: 0, isIndex: 0, usedFallback: 0, requiresLogin: 0 },
  ...{ lang: 'en', topImageUrl: 'https://www.iana.org/map.png' },
  ...{ domainMetadata: { name: 'www.iana.org' }, authors: {}, videos: {} },
  images: pictureAt('https://www.iana.org/map.png'),
  article: `<div><article>\n<!--IMG_1--><p>${PARAGRAPH}</p>\n</article></div>`,
};

/** As an e-reader gets it. */
export const DOWNLOADED_EXAMPLE = {
  ...TEXT_EXAMPLE,
  images: pictureAt('https://satchel.example/images/1/1/6vJ0nBq3VwJt5s0b4m0dNw2Xx1yGk7aQ'),
};
