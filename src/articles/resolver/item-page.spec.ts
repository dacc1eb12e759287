import { itemPageOfDocument } from './item-page.js';

const URL_OF_IT = 'http://example.com/it';

describe('what an item shows of a document', () => {
  it.each([
    ['image', 2, 0],
    ['video', 0, 2],
    ['audio', 0, 0],
    ['pdf', 0, 0],
    ['text', 0, 0],
    ['feed', 0, 0],
    ['other', 0, 0],
  ] as const)('is itself its picture or its film: %s', (kind, hasImage, hasVideo) => {
    const { media, ...page } = itemPageOfDocument(kind, {}, URL_OF_IT);

    expect(page).toMatchObject({ hasImage, hasVideo, isArticle: false });
    expect(media.images.map(({ src }) => src)).toEqual(kind === 'image' ? [URL_OF_IT] : []);
    expect(media.videos.map(({ src }) => src)).toEqual(kind === 'video' ? [URL_OF_IT] : []);
  });

  it.each([
    ['EN_us', 'en-us'],
    ['English', ''],
  ])('has a language by which lists can be filtered: %s', (language, lang) => {
    expect(itemPageOfDocument('pdf', { language }, URL_OF_IT)).toMatchObject({ lang });
  });
});
