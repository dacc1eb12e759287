import { aLibrary, anItem, SAVED, textOf } from '../../../../test/support/a-library.js';
import { writeWallabag } from './wallabag.js';

describe("wallabag's JSON", () => {
  it('has the fields of its own export; a page that was not fetched has no content', async () => {
    const noted = {
      ...SAVED[2]!,
      item: anItem({ itemId: '3', url: 'https://example.com/3', note: 'mine' }),
      details: {
        originUrl: 'https://feed.example/',
        publishedAt: null,
        authors: null,
        language: null,
        previewPicture: null,
      },
    };

    const written = await textOf(writeWallabag(aLibrary([SAVED[1]!, noted])));

    expect(JSON.parse(written)).toEqual([
      {
        is_archived: 1,
        is_starred: 1,
        tags: ['x'],
        is_public: false,
        id: 1,
        title: '=1+1',
        url: 'https://example.com/2',
        given_url: 'https://example.com/2',
        content: '<p>x</p>',
        mimetype: 'text/html',
        language: 'en',
        reading_time: 0,
        created_at: '2023-11-14T22:13:20+0000',
        updated_at: '2023-11-14T22:13:21+0000',
        archived_at: '2023-11-14T22:13:22+0000',
        starred_at: '1970-01-01T00:00:05+0000',
        published_by: ['Ada'],
        domain_name: 'example.com',
        annotations: [
          {
            text: '',
            quote: '"so"',
            created_at: '1970-01-01T00:00:09+0000',
            ranges: [{ start: '/p[1]', startOffset: 0, end: '/p[1]', endOffset: 4 }],
          },
        ],
      },
      {
        is_archived: 0,
        is_starred: 0,
        tags: [],
        is_public: false,
        id: 1,
        title: 'https://example.com/3',
        url: 'https://example.com/3',
        given_url: 'https://example.com/3',
        content: '',
        mimetype: '',
        origin_url: 'https://feed.example/',
        created_at: '2023-11-14T22:13:20+0000',
        updated_at: '2023-11-14T22:13:21+0000',
        annotations: [
          { text: 'mine', quote: '', ranges: [], created_at: '2023-11-14T22:13:20+0000' },
        ],
      },
    ]);
  });

  it('of an empty list is an empty array', async () => {
    expect(await textOf(writeWallabag(aLibrary([])))).toBe('[]\n');
  });
});
