import { ValidationFailedError } from '../../platform/common/common.errors.js';
import { parseRequest } from '../../pocket-api/parse-request.js';
import { AddRequest } from './add.request.js';

const URL_TEXT = 'https://example.com/a?b=c';

const itemOf = (members: object) =>
  parseRequest(AddRequest, { url: URL_TEXT, ...members }).toItem();

const names = (members: object) => itemOf(members).tags.map(({ name }) => name);

describe('AddRequest', () => {
  it('needs no more than a URL', () => {
    expect(itemOf({})).toEqual({
      address: expect.objectContaining({ givenUrl: URL_TEXT, domain: 'example.com' }),
      tags: [],
    });
  });

  it('takes a URL without a scheme', () => {
    expect(itemOf({ url: 'example.com' }).address.normalUrl).toBe('http://example.com');
  });

  it.each([
    [{ title: ' A title ' }, { title: 'A title' }],
    [{ title: null }, {}],
    [{ title: 7 }, { title: '7' }],
    [{ title: 'x'.repeat(200_000) }, { title: 'x'.repeat(1000) }],
    [{ time: '1719263946129' }, { time: 1719263946 }],
    [{ time: 0 }, {}],
    [{ html: '<p>' }, { html: '<p>' }],
    [{ title: 'null' }, {}],
    [{ tweet_id: '1', status_ref_id: 12, ref_id: '3' }, {}],
    [{ enable_cors: 1, type: 'page' }, {}],
  ])('reads %j as %j', (members, item) => {
    expect(itemOf(members)).toEqual({ ...itemOf({}), ...item });
  });

  it.each([
    [{ tags: 'a, B ,a' }, ['a', 'B']],
    [{ tags: 'a,,b,' }, ['a', 'b']],
    [{ tags: ['a', 'b'] }, ['a', 'b']],
    [{ tags: [] }, []],
    [{ tags: null }, []],
    [{ tags: '' }, []],
  ])('reads %j as the tags %j', (members, tags) => {
    expect(names(members)).toEqual(tags);
  });

  it.each<readonly [object, string]>([
    [{ url: undefined }, 'url is missing'],
    [{ url: ' ' }, 'url is missing'],
    ...['javascript:alert(1)', 'ftp://x.com', 'http://', 'x', ['a'], {}, 7].map(
      (url) => [{ url }, 'url must be an http or https URL of at most 4096 bytes'] as const,
    ),
    [
      { url: `http://x.com/${'x'.repeat(5000)}` },
      'url must be an http or https URL of at most 4096 bytes',
    ],
    [{ title: {} }, 'title must be text of at most 1000000 characters'],
    ...[{}, [['a']], [true], '_untagged_', ['a,b'], 'x'.repeat(101), Array(1001).fill('a')].map(
      (tags) => [{ tags }, 'tags must be tags, separated by commas or in an array'] as const,
    ),
    [{ tweet_id: [] }, 'tweet_id must be text of at most 200 characters'],
    [{ time: -1 }, 'time must be a time in seconds since 1970'],
    [{ html: 'x'.repeat(2_000_001) }, 'html must be text of at most 2000000 characters'],
  ])('refuses %.100j', (parameters, problem) => {
    expect(() => itemOf(parameters)).toThrow(new ValidationFailedError([problem]));
  });
});
