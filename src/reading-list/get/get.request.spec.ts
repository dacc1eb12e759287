import { Dialect } from '../../auth/consumers/entities/consumer-key.entity.js';
import { ValidationFailedError } from '../../platform/common/common.errors.js';
import { parseRequest } from '../../pocket-api/parse-request.js';
import { DIALECT_RULES } from '../dialect-rules.js';
import { COMPLETE, GetRequest } from './get.request.js';

const queryOf = (members: object, dialect = Dialect.Standard, oldest = 1) =>
  parseRequest(GetRequest, members).toQuery(DIALECT_RULES[dialect], { oldest, newest: 2 ** 53 });

const NONE = {
  tags: false,
  authors: false,
  images: false,
  videos: false,
  domainMetadata: false,
  note: false,
};

describe('GetRequest', () => {
  it.each([
    [{ detailType: 'complete' }, true],
    [{ annotations: 1 }, true],
    [{ tags: 1, meta: 1 }, false],
  ])('reads notes for %j: %s', (sent, withNotes) => {
    expect(queryOf(sent)).toMatchObject({ withNotes });
  });

  it('wants the newest thirty of all items, in few words, when nothing is said', () => {
    expect(queryOf({})).toEqual({
      filter: {},
      order: 'newest',
      timeOrder: 'time_added',
      page: { count: 30, offset: 0 },
      withTotal: false,
      withAnnotations: false,
      withNotes: false,
      detail: NONE,
      wantsTagList: undefined,
    });
  });

  it.each([
    [{ state: 'unread' }, { state: 'unread' }],
    [{ state: 'QUEUE' }, { state: 'unread' }],
    [{ state: 'archive' }, { state: 'archive' }],
    [{ state: 'read' }, { state: 'archive' }],
    [{ state: 'all' }, {}],
    [{ state: null }, {}],
    [{ favorite: 1 }, { favorite: true }],
    [{ favorite: '0' }, { favorite: false }],
    [{ tag: 'Big  Tag ' }, { tag: { key: 'big tag' } }],
    [{ tag: ' ,Big Tag,' }, { tag: { key: 'big tag' } }],
    [{ tag: 'A,b' }, { tag: { key: 'a,b' } }],
    [{ tag: '_untagged_' }, { tag: 'untagged' }],
    [{ tag: '_Untagged_' }, { tag: 'untagged' }],
    [{ contentType: 'Video' }, { contentType: 'video' }],
    [{ contentType: 'article' }, { contentType: 'article' }],
    [{ contentType: 'image' }, { contentType: 'image' }],
    [{ contentType: 'all' }, {}],
    [{ search: '100% _\\' }, { search: '100% _\\' }],
    [{ search: 'x'.repeat(256) }, { search: 'x'.repeat(256) }],
    [{ domain: 'EXAMPLE.com.' }, { domain: 'example.com' }],
    [{ domain: 'exämple.com' }, { domain: 'xn--exmple-cua.com' }],
    [{ since: '1719263946.5' }, { since: 1719263946 }],
    [{ since: 1719263946129 }, { since: 1719263946 }],
    [{ since: '2024-06-24T21:19:06.129Z' }, { since: 1719263946 }],
    [{ since: '' }, {}],
    [{ since: 0 }, {}],
    [{ updatedBefore: '5' }, { updatedBefore: 5 }],
    [{ updatedBefore: '2024-06-24T00:00:00Z' }, { updatedBefore: 1719187200 }],
    [{ item: 4503599627370497 }, { itemId: '4503599627370497' }],
    [{ annotations: 1, rediscovery: {}, forceaccount: 'x', locale_lang: 'en-US' }, {}],
  ])('reads %j as the filter %j', (members, filter) => {
    expect(queryOf(members).filter).toEqual(filter);
    expect(Object.values(queryOf(members).filter)).not.toContain(undefined);
  });

  it.each<readonly [object, string]>([
    [{ state: 'foo' }, 'state must be one of unread, queue, archive, read, all'],
    [{ favorite: 2 }, 'favorite must be 0 or 1'],
    [{ tag: [] }, 'tag must be text of at most 200 characters'],
    [{ tag: ',' }, 'tag must be one tag'],
    [{ tag: '\u200b' }, 'tag must be one tag'],
    [{ contentType: 'book' }, 'contentType must be one of article, video, image, all'],
    [
      { sort: 'random' },
      'sort must be one of newest, oldest, title, site, relevance, longest, shortest',
    ],
    [{ detailType: 'full' }, 'detailType must be one of simple, complete'],
    [{ search: 'x'.repeat(257) }, 'search must be text of at most 256 characters'],
    [{ search: { $gt: '' } }, 'search must be text of at most 256 characters'],
    [{ domain: 'a b' }, 'domain must be a domain'],
    [{ domain: {} }, 'domain must be text of at most 300 characters'],
    [{ since: -1 }, 'since must be a time in seconds since 1970'],
    [{ updatedBefore: 'x' }, 'updatedBefore must be a time in seconds since 1970'],
    [{ count: 0 }, 'count must be a whole number from 1'],
    [{ count: '1e1' }, 'count must be a whole number from 1'],
    [{ offset: -1 }, 'offset must be a whole number from 0 to 2147483648'],
    [{ offset: 2 ** 31 + 1 }, 'offset must be a whole number from 0 to 2147483648'],
    [{ item: 'x' }, 'item must be an id of digits'],
    ...[...['total', 'taglist', 'forcetaglist', 'tags', 'authors', 'images', 'videos', 'meta']].map(
      (flag) => [{ [flag]: 'maybe' }, `${flag} must be 0 or 1`] as const,
    ),
  ])('refuses %j', (parameters, problem) => {
    expect(() => queryOf(parameters)).toThrow(new ValidationFailedError([problem]));
  });

  it.each([
    ['newest', 'newest'],
    ['oldest', 'oldest'],
    ['TITLE', 'title'],
    ['site', 'site'],
    ['relevance', 'newest'],
    ['longest', 'newest'],
    ['shortest', 'newest'],
  ])('sorts %s as %s', (sort, order) => {
    expect(queryOf({ sort }).order).toBe(order);
  });

  it.each([
    [{}, 30, 30],
    [{ count: 5 }, 5, 5],
    [{ count: '31' }, 30, 31],
    [{ count: 6000 }, 30, 5000],
    [{ count: '9'.repeat(30) }, 30, 5000],
    [{ since: 5 }, 30, 5000],
    [{ since: 0 }, 30, 30],
    [{ since: 5, count: '10' }, 10, 10],
  ])('counts with %j: standard %d, classic %d', (members, standard, classic) => {
    expect(queryOf(members).page.count).toBe(standard);
    expect(queryOf(members, Dialect.Classic).page.count).toBe(classic);
  });

  it('wants the whole list when what was deleted since is forgotten, and as many as of a delta', () => {
    const { filter, page } = queryOf({ since: 999, state: 'unread' }, Dialect.Classic, 1000);

    expect(filter).toEqual({ state: 'unread' });
    expect(page.count).toBe(5000);
    expect(queryOf({ since: 1000 }, Dialect.Classic, 1000).filter).toEqual({ since: 1000 });
  });

  it('leaves the time that decides the order to the dialect', () => {
    expect(queryOf({ favorite: 1 }).timeOrder).toBe('time_added');
    expect(queryOf({ favorite: 1 }, Dialect.Classic).timeOrder).toBe('time_favorited');
  });

  it.each([
    [{ offset: '30' }, 30],
    [{ offset: 2 ** 31 }, 2 ** 31],
    [{ offset: null }, 0],
  ])('begins with %j at %d', (members, offset) => {
    expect(queryOf(members).page.offset).toBe(offset);
  });

  it.each([
    [{ detailType: 'Complete' }, COMPLETE],
    [{ detailType: 'simple' }, NONE],
    [{ detailType: 'complete', tags: 0 }, COMPLETE],
    [{ tags: 1 }, { ...NONE, tags: true }],
    [{ authors: '1' }, { ...NONE, authors: true }],
    [{ images: true }, { ...NONE, images: true }],
    [{ videos: 'true' }, { ...NONE, videos: true }],
    [
      { meta: 1, images: 0 },
      { ...NONE, domainMetadata: true },
    ],
  ])('shows with %j the details %j', (members, detail) => {
    expect(queryOf(members).detail).toEqual(detail);
  });

  it.each([
    [{ total: '1' }, { withTotal: true }],
    [{ total: 0 }, { withTotal: false }],
    [{ taglist: 1 }, { wantsTagList: 'changed' }],
    [{ forcetaglist: '1', taglist: '1' }, { wantsTagList: 'always' }],
    [{ taglist: '0' }, { wantsTagList: undefined }],
  ])('wants with %j what is %j', (members, wants) => {
    expect(queryOf(members)).toMatchObject(wants);
  });
});
