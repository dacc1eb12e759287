import { anItemRow } from '../../../test/support/an-item-row.js';
import type { ItemRow } from '../entities/item.entity.js';
import { COMPLETE } from './get.request.js';
import { minutesToRead, PresentedItem, secondsToListen } from './item.presenter.js';

const SIMPLE = {
  tags: false,
  authors: false,
  images: false,
  videos: false,
  domainMetadata: false,
  note: false,
};

const ROW = anItemRow({
  item_id: '4503599627370497',
  status: 1,
  favorite: 1,
  time_added: '1464715504',
  time_updated: '1569145019',
  time_read: '1569145018',
  time_favorited: '1569145017',
  given_url: 'http://www.example.com/?p=2464',
  given_title: 'Given',
  prefers_given_title: false,
  resolved_id: '4503599627370498',
  resolved_url: 'https://blog.example.com/?p=2464',
  resolved_title: 'Found',
  excerpt: 'An excerpt',
  lang: 'en',
  is_article: 1,
  is_index: 0,
  has_image: 1,
  has_video: 2,
  word_count: 2665,
  top_image_url: 'https://example.com/top.jpg',
  media: {
    authors: [{ id: '9', name: 'Ada', url: '' }],
    images: [
      { src: 'https://example.com/1.jpg', width: 620, height: 414, credit: 'C', caption: 'D' },
      { src: 'https://example.com/2.jpg', width: 0, height: 0, credit: '', caption: '' },
    ],
    videos: [{ src: 'https://v.example/1', width: 1, height: 2, type: 1, vid: 'x', length: 30 }],
  },
  tags: ['quantum', '__proto__', '7'],
});

const json = (row: ItemRow, detail = SIMPLE, sortId = 2): unknown =>
  JSON.parse(JSON.stringify(new PresentedItem({ row, sortId, shows: detail })));

const BASICS = {
  item_id: '4503599627370497',
  resolved_id: '4503599627370498',
  given_url: 'http://www.example.com/?p=2464',
  given_title: 'Given',
  favorite: '1',
  status: '1',
  time_added: '1464715504',
  time_updated: '1569145019',
  time_read: '1569145018',
  time_favorited: '1569145017',
  sort_id: 2,
  resolved_title: 'Found',
  resolved_url: 'https://blog.example.com/?p=2464',
  excerpt: 'An excerpt',
  is_article: '1',
  is_index: '0',
  has_video: '2',
  has_image: '1',
  word_count: '2665',
  lang: 'en',
  time_to_read: 12,
  top_image_url: 'https://example.com/top.jpg',
};

const item_id = '4503599627370498';

const DETAIL = {
  authors: { '9': { item_id, author_id: '9', name: 'Ada', url: '' } },
  image: { item_id, src: 'https://example.com/1.jpg', width: '620', height: '414' },
  images: {
    '1': {
      item_id,
      image_id: '1',
      src: 'https://example.com/1.jpg',
      width: '620',
      height: '414',
      credit: 'C',
      caption: 'D',
    },
    '2': {
      item_id,
      image_id: '2',
      src: 'https://example.com/2.jpg',
      width: '0',
      height: '0',
      credit: '',
      caption: '',
    },
  },
  videos: {
    '1': {
      item_id,
      video_id: '1',
      src: 'https://v.example/1',
      width: '1',
      height: '2',
      type: '1',
      vid: 'x',
      length: '30',
    },
  },
  domain_metadata: { name: 'blog.example.com' },
};

describe('PresentedItem', () => {
  it('shows the basics with the types that clients parse', () => {
    expect(json(ROW)).toEqual({ ...BASICS, listen_duration_estimate: 1032 });
  });

  it('shows all details of complete, in the order of the original', () => {
    const item = new PresentedItem({ row: ROW, sortId: 2, shows: COMPLETE });

    expect(JSON.parse(JSON.stringify(item))).toMatchObject({ ...BASICS, ...DETAIL });
    expect(Object.keys(item)).toEqual([
      ...Object.keys(BASICS),
      ...['tags', 'authors', 'image', 'images', 'videos', 'domain_metadata', 'note'],
      ...['annotations', 'listen_duration_estimate', 'passage'],
    ]);
  });

  it('keeps a tag with any name', () => {
    const { tags } = new PresentedItem({ row: ROW, sortId: 0, shows: COMPLETE });

    const id = ROW.item_id;
    expect(JSON.stringify(tags)).toBe(
      `{"7":{"item_id":"${id}","tag":"7"},"quantum":{"item_id":"${id}","tag":"quantum"},` +
        `"__proto__":{"item_id":"${id}","tag":"__proto__"}}`,
    );
  });

  it.each([
    ['tags', ['tags']],
    ['authors', ['authors']],
    ['images', ['image', 'images']],
    ['videos', ['videos']],
    ['domainMetadata', ['domain_metadata']],
  ])('shows %s alone', (name, members) => {
    const shown = Object.keys(json(ROW, { ...SIMPLE, [name]: true }) as object);

    expect(shown).toEqual([...Object.keys(BASICS), ...members, 'listen_duration_estimate']);
  });

  it.each([null, { authors: [], images: [], videos: [] }])(
    'leaves out what there is nothing of: %j',
    (media) => {
      const bare = { ...ROW, media, tags: [], top_image_url: '', resolved_url: 'no URL' };

      expect(json(bare, COMPLETE)).toEqual({
        ...BASICS,
        top_image_url: undefined,
        resolved_url: 'no URL',
        tags: {},
        listen_duration_estimate: 1032,
      });
    },
  );

  it('shows the given title where the person wants that, and the found one where not', () => {
    const shown = (facts: Partial<ItemRow>): unknown => json({ ...ROW, ...facts });

    expect(shown({ prefers_given_title: true })).toMatchObject({ resolved_title: 'Given' });
    expect(shown({ prefers_given_title: true, given_title: '' })).toMatchObject({
      resolved_title: 'Found',
    });
  });

  it.each([
    [{ given_title: 'Given' }, 'Given'],
    [{ given_title: '' }, 'http://www.example.com/?p=2464'],
  ])('shows what was given until the page is resolved: %j', (facts, title) => {
    const pending: Partial<ItemRow> = {
      resolved_id: '0',
      resolved_url: '',
      resolved_title: '',
      excerpt: '',
      lang: '',
      is_article: 0,
      has_image: 0,
      has_video: 0,
      word_count: 0,
      media: null,
      tags: [],
    };

    expect(json({ ...ROW, ...pending, ...facts })).toMatchObject({
      resolved_id: '0',
      resolved_url: ROW.given_url,
      resolved_title: title,
      excerpt: '',
      is_article: '0',
      has_image: '0',
      has_video: '0',
      word_count: '0',
      time_to_read: 0,
      listen_duration_estimate: 0,
    });
  });

  it.each([
    ['localhost:3000/x', 'localhost'],
    ['www.example.com/x', 'www.example.com'],
    ['//example.com:8080/', 'example.com'],
  ])('names the site of %s, which was given without a scheme', (given_url, name) => {
    const pending = { ...ROW, resolved_url: '', given_url };

    expect(json(pending, COMPLETE)).toMatchObject({ domain_metadata: { name } });
  });

  it('takes no time to read what is no article', () => {
    expect(json({ ...ROW, is_article: 0 })).toMatchObject({
      time_to_read: 0,
      listen_duration_estimate: 1032,
    });
  });
});

describe('the reading times', () => {
  it.each([
    [4410, 20],
    [2879, 13],
    [2207, 10],
    [11415, 52],
    [2665, 12],
    [8426, 38],
    [0, 0],
  ])('of %d words is %d minutes, as it was measured on the original', (words, minutes) => {
    expect(minutesToRead(words)).toBe(minutes);
  });

  it.each([
    [2665, 1032],
    [0, 0],
    [1, 0],
    [155, 60],
  ])('of %d words is %d seconds of listening', (words, seconds) => {
    expect(secondsToListen(words)).toBe(seconds);
  });
});
