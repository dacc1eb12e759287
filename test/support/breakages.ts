/* eslint-disable @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-dynamic-delete -- answers are broken whatever they hold */
import {
  bodyOf,
  changing,
  eachItem,
  FAILURES_ARE_200,
  hasBody,
  headersOf,
  isOfType,
  type Json,
  NO_ERROR_CODE,
  path,
  refusing,
  reversed,
  statusOf,
  textOf,
  withoutQuery,
} from './breaking.js';
import type { Breakage } from './breaking-proxy.js';

/** Faults of a server, each with the conformance check that must detect it. */
export const BREAKAGES: readonly (readonly [check: string, wrong: string, breakage: Breakage])[] = [
  ['post-is-200', 'POST answers 201', statusOf(200, 201)],
  ['form-body', 'refuses forms', refusing(isOfType('urlencoded'), 415)],
  ['multipart-body', 'refuses multipart', refusing(isOfType('multipart'), 415)],
  ['query-of-post', 'drops the query of a POST', withoutQuery(path('?', 'POST'))],
  ['get-by-get', 'GET of get is 404', refusing(path('/v3/get', 'GET'), 404)],
  ['add-by-get', 'GET of add is 404', refusing(path('/v3/add', 'GET'), 404)],
  ['send-by-get', 'does not decode twice', refusing(path('%255B', 'GET'))],
  ['bracketed-query', 'drops actions[0]', withoutQuery(path('actions%5B0'))],
  ['charset-utf8', '415 for charset=UTF8', refusing(isOfType('UTF8'), 415)],
  ['trailing-slash', '404 for a trailing slash', refusing(({ path: at }) => at.endsWith('/'), 404)],
  ['large-body', '413 beyond 100 kB', refusing(({ body }) => body.length > 100_000, 413)],
  ['lenient-members', 'refuses unknown members', refusing(hasBody(/guid/))],
  [
    'content-type',
    'adds a charset',
    headersOf((headers) => {
      headers['content-type'] = 'application/json; charset=utf-8';
    }),
  ],
  ['compact-json', 'prints JSON prettily', textOf((text) => text.replaceAll('":', '": '))],
  [
    'source-header',
    'no X-Source on failures',
    headersOf((headers) => delete headers['x-source'], 400),
  ],
  [
    'limit-headers',
    'five of six headers',
    headersOf((headers) => delete headers['x-limit-key-reset']),
  ],
  [
    'lower-case-headers',
    'X-Error in capitals',
    headersOf((headers) => {
      headers['X-Error'] = headers['x-error'];
      delete headers['x-error'];
    }, 400),
  ],
  ['empty-list', '[] for an empty list', textOf((text) => text.replace('"list":{}', '"list":[]'))],
  [
    'list-by-id',
    'list is an array',
    bodyOf((body) => {
      body['list'] &&= Object.values(body['list']);
    }),
  ],
  [
    'item-id',
    'item_id is a number',
    eachItem((item) => {
      item['item_id'] = Number(item['item_id']);
    }),
  ],
  [
    'item-types',
    'favorite is a number',
    eachItem((item) => {
      item['favorite'] = 0;
    }),
  ],
  [
    'envelope',
    'total is a number',
    bodyOf((body) => {
      body['total'] = Number(body['total']);
    }),
  ],
  [
    'resolved-members',
    'resolved_url is empty',
    eachItem((item) => {
      item['resolved_url'] = '';
    }),
  ],
  ['offset', 'no offset with since', changing(/("since":\d+.*)"offset":\d+/g, '$1"x":0')],
  ['count-is-clamped', 'refuses a large count', refusing(hasBody(/"count":"?\d{4}/))],
  [
    'tags',
    'tags is an array',
    eachItem((item) => {
      item['tags'] = Object.keys(item['tags'] ?? {});
    }),
  ],
  [
    'media',
    'images is []',
    eachItem((item) => {
      item['images'] = [];
    }),
  ],
  [
    'order-of-keys',
    'list in another order',
    bodyOf((body) => {
      body['list'] = reversed(body['list'] ?? {});
    }),
  ],
  [
    'tombstones',
    'forgets deletions',
    bodyOf(({ list = {} }) => {
      for (const [id, { status }] of Object.entries<Json>(list)) {
        if (status === '2') {
          delete list[id];
        }
      }
    }),
  ],
  ['since-again', 'ignores since', changing(/"since":\d+/g, '"x":0')],
  ['since-spellings', 'refuses since as text', refusing(hasBody(/"since":"/))],
  [
    'add-answer',
    'word_count is a number',
    bodyOf(({ item }) => {
      if (item) {
        item.word_count = 0;
      }
    }),
  ],
  [
    'add-twice',
    'forgets the favorite',
    eachItem((item) => {
      item['favorite'] = '0';
    }),
  ],
  ['mixed-actions', 'no action_errors', bodyOf((body) => delete body['action_errors'])],
  ['malformed-action', 'refuses the whole batch', refusing(hasBody(/"actions":\[null/))],
  ['add-url-wins', 'goes by the item_id', refusing(hasBody(/"item_id":0,"url"/))],
  [
    'readd',
    'readd is refused',
    bodyOf((body) => {
      body['action_results'] &&= [false];
    }),
  ],
  ['time-in-milliseconds', 'ignores the time', changing(/"time":\d+/g, '"x":0')],
  ['tags-as-array', 'ignores tags in an array', changing(/"tags":\[[^\]]*\]/g, '"tags":""')],
  ['delete', 'deletes nothing', changing(/"action":"delete"/g, '"action":"favorite"')],
  ...['missing-key', 'unknown-key', 'unknown-key-oauth', 'bad-token', 'bad-parameter'].map(
    (name) => [`refuses-${name}`, 'failures are 200', FAILURES_ARE_200] as const,
  ),
  ...['missing-redirect', 'missing-code', 'unknown-code', 'nothing-there'].map(
    (name) => [`refuses-${name}`, 'no X-Error-Code', NO_ERROR_CODE] as const,
  ),
  [
    'oauth-form',
    'always JSON',
    {
      request: ({ headers }) => {
        headers['x-accept'] = 'application/json';
        return undefined;
      },
    },
  ],
  [
    'oauth-json',
    'always a form',
    {
      request: ({ headers }) => {
        delete headers['x-accept'];
        return undefined;
      },
    },
  ],
  ['oauth-state', 'forgets the state', bodyOf((body) => delete body['state'])],
  ['any-redirect', 'refuses other schemes', refusing(hasBody(/obsidian:/))],
  ['browser-redirect', 'refuses other addresses', refusing(path('authorize?', 'GET'))],
  ['unapproved-code', '400 for 403', statusOf(403, 400)],
  ['approved-code', 'no username', bodyOf((body) => delete body['username'])],
];
