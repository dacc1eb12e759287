import { anItemRow } from '../../../test/support/an-item-row.js';
import type { ItemRow } from '../entities/item.entity.js';
import { presentAdd } from './add.presenter.js';
import type { PageFacts } from './page-facts.js';

const PENDING = anItemRow({ favorite: 1, tags: ['a'] });

const RESOLVED: ItemRow = {
  ...PENDING,
  resolved_id: '4503599627370499',
  resolved_url: 'https://www.example.com/b',
  resolved_title: 'Found',
  excerpt: 'An excerpt',
  lang: 'ko',
  is_article: 1,
  has_image: 1,
  word_count: 830,
  top_image_url: 'https://example.com/top.jpg',
  media: {
    authors: [{ id: '9', name: 'Ada', url: '' }],
    images: [{ src: 'https://example.com/1', width: 6, height: 4, credit: '', caption: '' }],
    videos: [{ src: 'https://v.example', width: 1, height: 2, type: 1, vid: 'x', length: 3 }],
  },
};

const FACTS: PageFacts = {
  normalUrl: 'http://example.com/a',
  resolvedNormalUrl: 'http://example.com/b',
  domainId: '525828',
  originDomainId: '525829',
  responseCode: 200,
  mimeType: 'text/html',
  contentLength: 22237,
  encoding: 'utf-8',
  dateResolved: new Date('2022-03-17T00:15:34Z'),
  datePublished: null,
  timeFirstParsed: new Date('2022-03-17T00:15:34Z'),
  isInnerDomainRedirect: true,
  isLoginRequired: false,
  usedFallback: true,
};

const json = (row: ItemRow, facts?: PageFacts): unknown =>
  JSON.parse(JSON.stringify(presentAdd(row, facts)));

describe('presentAdd', () => {
  it('shows a resolved item in text alone', () => {
    const item_id = '4503599627370499';
    const image = { width: '6', height: '4', credit: '', caption: '' };
    const video = { width: '1', height: '2', type: '1', vid: 'x', length: '3' };

    expect(json(RESOLVED, FACTS)).toEqual({
      item: {
        item_id: '4503599627370496',
        normal_url: 'http://example.com/a',
        resolved_id: '4503599627370499',
        extended_item_id: '4503599627370499',
        resolved_url: 'https://www.example.com/b',
        domain_id: '525828',
        origin_domain_id: '525829',
        response_code: '200',
        mime_type: 'text/html',
        content_length: '22237',
        encoding: 'utf-8',
        date_resolved: '2022-03-17 00:15:34',
        date_published: '0000-00-00 00:00:00',
        title: 'Found',
        excerpt: 'An excerpt',
        word_count: '830',
        innerdomain_redirect: '1',
        login_required: '0',
        has_image: '1',
        has_video: '0',
        is_index: '0',
        is_article: '1',
        used_fallback: '1',
        lang: 'ko',
        time_first_parsed: '1647476134',
        authors: { '9': { author_id: '9', name: 'Ada', url: '' } },
        images: { '1': { item_id, image_id: '1', src: 'https://example.com/1', ...image } },
        videos: { '1': { item_id, video_id: '1', src: 'https://v.example', ...video } },
        top_image_url: 'https://example.com/top.jpg',
        resolved_normal_url: 'http://example.com/b',
        given_url: 'http://example.com/a',
      },
      status: 1,
    });
  });

  it('shows a pending item with the same fields, and never null', () => {
    expect(json(PENDING)).toEqual({
      item: {
        item_id: '4503599627370496',
        normal_url: 'http://example.com/a',
        resolved_id: '0',
        extended_item_id: '0',
        resolved_url: 'http://example.com/a',
        domain_id: '0',
        origin_domain_id: '0',
        response_code: '0',
        mime_type: '',
        content_length: '0',
        encoding: '',
        date_resolved: '0000-00-00 00:00:00',
        date_published: '0000-00-00 00:00:00',
        title: 'http://example.com/a',
        excerpt: '',
        word_count: '0',
        innerdomain_redirect: '0',
        login_required: '0',
        has_image: '0',
        has_video: '0',
        is_index: '0',
        is_article: '0',
        used_fallback: '0',
        lang: '',
        time_first_parsed: '0',
        authors: [],
        images: [],
        videos: [],
        resolved_normal_url: 'http://example.com/a',
        given_url: 'http://example.com/a',
      },
      status: 1,
    });
  });

  it('shows the given title until one is found', () => {
    expect(json({ ...PENDING, given_title: 'Given' })).toMatchObject({ item: { title: 'Given' } });
  });

  it('has empty arrays for a page without media', () => {
    const media = { authors: [], images: [], videos: [] };

    expect(json({ ...RESOLVED, media }, FACTS)).toMatchObject({ item: media });
  });
});
