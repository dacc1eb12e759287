import { bodyOf, changing, eachItem, path, refusing, statusOf } from './breaking.js';
import type { Breakage } from './breaking-proxy.js';

/** Recounts each page from the start of the current list. The service itself remembers where a page ended. */
const COUNTING_FROM_THE_START: Breakage = {
  request: (request) => {
    request.body = request.body.replace(/"count":2,(.*)"offset":(\d+)/, '"count":30,$1"skip":$2');
    return undefined;
  },
  answer: (answer, { body }) => {
    const skip = Number(/"skip":(\d+)/.exec(body)?.[1] ?? NaN);
    if (skip >= 0) {
      const answered = JSON.parse(answer.text) as { list: object };
      const page = Object.entries(answered.list).slice(skip, skip + 2);
      answer.text = JSON.stringify({ ...answered, list: Object.fromEntries(page) });
    }
  },
};

/** Faults under concurrent calls, and faults at endpoints other than get, add and send. */
export const FURTHER_BREAKAGES: readonly (readonly [
  check: string,
  wrong: string,
  breakage: Breakage,
])[] = [
  ['registration', 'makes an account of nothing', statusOf(400, 201)],
  ['pages-meanwhile', 'counts pages from the beginning', COUNTING_FROM_THE_START],
  [
    'filters-with-since',
    'ignores the state beside since',
    changing(/("since":\d+),"state":"\w+"/g, '$1'),
  ],
  [
    'head-changes-nothing',
    'takes HEAD for GET',
    {
      request: (request) => {
        request.method = request.method.replace('HEAD', 'GET');
        return undefined;
      },
    },
  ],
  [
    'order-of-adding',
    'comes in another order',
    eachItem((item) => {
      item['sort_id'] = -item['sort_id'];
    }),
  ],
  ['fetch', 'has no passthrough', bodyOf((body) => delete body['passthrough'])],
  [
    'stats',
    'counts no unread ones',
    bodyOf((body) => {
      body['count_unread'] = 0;
    }),
  ],
  ['annotations', 'shows none', changing(/"annotations":1/g, '"x":1')],
  ['has-annotations', 'finds all items', changing(/"hasAnnotations":1/g, '"x":1')],
  [
    'suggested-tags',
    'has names alone',
    bodyOf((body) => {
      body['suggested_tags'] &&= ['tag'];
    }),
  ],
  ['article-view', 'fails where there is no article', statusOf(503, 500)],
  [
    'guid',
    'gives everybody the same',
    bodyOf((body) => {
      body['guid'] &&= 'a';
    }),
  ],
  ['send-guid', 'has none', refusing(path('/v3/send_guid'), 404)],
  ['request-meta', 'does not name the application', bodyOf((body) => delete body['app_name'])],
];
