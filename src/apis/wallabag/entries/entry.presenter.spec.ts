import { anItemRow } from '../../../../test/support/an-item-row.js';
import { strictEntry } from '../../../../test/support/wallabag-entry.js';
import {
  type EntryParts,
  type EntryResponse,
  type EntryRow,
  presentEntry,
} from './entry.presenter.js';

const USER = { id: 7, name: 'Ada', email: 'ada@example.com', createdAt: new Date(0) };
const NOTHING: EntryParts = {
  user: USER,
  tags: [],
  annotations: [],
  page: undefined,
  content: '',
};

function presented(columns: Partial<EntryRow>, parts: Partial<EntryParts> = {}): EntryResponse {
  const row = { ...anItemRow(columns), number: 5, version: '1732283000', ...columns };
  return strictEntry(JSON.parse(JSON.stringify(presentEntry(row, { ...NOTHING, ...parts }))));
}

describe('an entry', () => {
  it('tells of a page that was read what it knows', () => {
    const page = { mimeType: '', responseCode: 200, datePublished: '2024-05-06T07:08:09.123Z' };
    const author = { id: '1', name: 'Grace', url: '' };

    expect(
      presented(
        {
          resolved_id: '9',
          resolved_url: 'https://www.example.com/b',
          resolved_title: 'B',
          status: 1,
          favorite: 1,
          time_read: '1700000000',
          time_favorited: '1700000001',
          word_count: 599,
          lang: 'de-at',
          top_image_url: 'https://example.com/top.png',
          media: { authors: [author], images: [], videos: [] },
        },
        { page, content: '<p>Text</p>' },
      ),
    ).toMatchObject({
      title: 'B',
      url: 'https://www.example.com/b',
      given_url: 'http://example.com/a',
      is_archived: 1,
      is_starred: 1,
      archived_at: '2023-11-14T22:13:20+0000',
      starred_at: '2023-11-14T22:13:21+0000',
      updated_at: '2024-11-22T13:43:20+0000',
      published_at: '2024-05-06T07:08:09+0000',
      published_by: ['Grace'],
      content: '<p>Text</p>',
      mimetype: 'text/html',
      headers: { 'content-type': 'text/html' },
      http_status: '200',
      language: 'de_AT',
      reading_time: 2,
      domain_name: 'www.example.com',
      preview_picture: 'https://example.com/top.png',
      _links: { self: { href: '/api/entries/5' } },
    });
  });

  it('is never without a title, an address with a scheme, and a date', () => {
    expect(presented({ given_url: 'example.com/some%20page/' })).toMatchObject({
      title: 'some page',
      url: 'http://example.com/some%20page/',
      given_url: 'example.com/some%20page/',
    });
    expect(presented({ given_url: 'http://example.com/' }).title).toBe('example.com');
    expect(presented({ given_title: 'Mine', prefers_given_title: true }).title).toBe('Mine');
    expect(presented({ time_added: '99999999999999' }).created_at).toBe('9999-12-31T23:59:59+0000');
    expect(presented({ status: 1, time_read: '0' }).archived_at).toBeNull();
  });

  it.each([
    ['', null],
    ['en', 'en'],
    ['zh-hant-tw', 'zh_hant_TW'],
    ['not a language', null],
  ])('has for the language %j %j', (lang, language) => {
    expect(presented({ lang }).language).toBe(language);
  });

  it('leaves out pictures without a web address', () => {
    expect(presented({ top_image_url: 'data:image/png;base64,AA' }).preview_picture).toBeNull();
    expect(presented({ top_image_url: '//example.com/a.png' }).preview_picture).toBeNull();
  });

  it('hashes an address as PHP decodes it', () => {
    // Two spellings of one address must have the same hash. The last address decodes to bytes that are not UTF-8.
    expect(presented({ given_url: 'http://example.com/%C3%A4+b%zz' }).hashed_given_url).toBe(
      presented({ given_url: 'http://example.com/ä b%zz' }).hashed_given_url,
    );
    expect(presented({ given_url: 'http://example.com/%ff' }).hashed_given_url).toBe(
      'd03601c8f9244ee2fe9fe0af2209b59b026fc480',
    );
  });
});
