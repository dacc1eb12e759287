import {
  bodyOf,
  changing,
  hasBody,
  headersOf,
  isOfType,
  type Json,
  path,
  refusing,
  statusOf,
  textOf,
} from './breaking.js';
import type { Breakage, ProxiedRequest } from './breaking-proxy.js';

const asking = (change: (path: string) => string): Breakage => ({
  request: (request) => {
    request.path = change(request.path);
    return undefined;
  },
});

const answering = (
  is: (request: ProxiedRequest) => boolean,
  change: Required<Breakage>['answer'],
): Breakage => ({
  answer: (answer, request) => {
    if (is(request)) {
      change(answer, request);
    }
  },
});

/** Changes the entries of a list, or an answer that is a single entry. */
const eachEntry = (change: (entry: Json) => void): Breakage =>
  bodyOf((body) => {
    const entries: Json[] = body['_embedded']?.items ?? ('given_url' in body ? [body] : []);
    entries.forEach(change);
  });

const member = (name: string, value: unknown): Breakage =>
  eachEntry((entry) => {
    entry[name] = value;
  });

const refusingAfter = (most: number, is: (request: ProxiedRequest) => boolean): Breakage => {
  let calls = 0;
  return refusing((request) => is(request) && (calls += 1) > most, 429);
};

const tokenCall = path('/oauth/v2/token');

type Case = readonly [check: string, wrong: string, breakage: Breakage];

const SERVER: readonly Case[] = [
  ['version', 'has 2.10', textOf((text) => text.replace('2.6.14', '2.10.1'))],
  [
    'appname',
    'has a name of its own',
    textOf((text) => text.replace('"appname":"wallabag"', '"appname":"Other"')),
  ],
  ['config', 'leaves out a limit', bodyOf((body) => delete body['feed_limit'])],
  [
    'cors',
    'does not name methods',
    headersOf((headers) => delete headers['access-control-allow-methods']),
  ],
  [
    'plain-http',
    'sends all to https',
    { request: () => ({ status: 301, headers: { location: 'https://example.com/' }, text: '' }) },
  ],
  ['head', 'fails at HEAD', refusing(path('', 'HEAD'), 500)],
  [
    'login-page',
    'has attributes in another order',
    textOf((text) =>
      text.replace('method="post" name="loginform"', 'name="loginform" method="post"'),
    ),
  ],
  ['client-page', 'has no form', textOf((text) => text.replace('id="client__token"', ''))],
];

const TOKENS: readonly Case[] = [
  ['password-grant', 'refuses forms', refusing(isOfType('urlencoded'), 415)],
  [
    'refresh-grant',
    'gives no refresh token again',
    answering(hasBody(/grant_type=refresh/), (answer) => {
      answer.text = answer.text.replace('refresh_token', 'other');
    }),
  ],
  ['many-logins', 'counts logins that succeed', refusingAfter(5, tokenCall)],
  ['token-refusals', 'refuses with 401', statusOf(400, 401)],
  [
    'wrong-password',
    'blames the client',
    textOf((text) => text.replace('invalid_grant', 'invalid_client')),
  ],
  ['refused-refresh', 'says less', textOf((text) => text.replaceAll(/refresh token/gi, 'token'))],
  ['refused-token', 'answers 403', statusOf(401, 403)],
  ['token-in-parameters', 'reads no body', changing(/access_token/g, 'x')],
];

const WIRE: readonly Case[] = [
  [
    'content-type',
    'adds a charset',
    headersOf((headers) => {
      headers['content-type'] = 'application/json; charset=utf-8';
    }),
  ],
  ['json-suffix', 'knows no .json', refusing(path('.json'), 404)],
  [
    'errors-are-json',
    'shows a page for errors',
    {
      answer: (answer) => {
        answer.text = answer.status >= 400 ? '<h1>Error</h1>' : answer.text;
      },
    },
  ],
];

const ENTRIES: readonly Case[] = [
  [
    'ids',
    'writes ids as text',
    eachEntry((entry) => {
      entry['id'] = String(entry['id']);
    }),
  ],
  [
    'flags',
    'has booleans',
    eachEntry((entry) => {
      entry['is_archived'] = entry['is_archived'] === 1;
    }),
  ],
  ['dates', 'has a colon in offsets', textOf((text) => text.replaceAll('+0000"', '+00:00"'))],
  ['filled-members', 'has no title yet', member('title', null)],
  ['nullable-members', 'has [] for no headers', member('headers', [])],
  ['tags', 'counts no entries', textOf((text) => text.replaceAll('nbEntries', 'count'))],
  [
    'writes-are-200',
    'answers 201',
    answering(path('/tags', 'POST'), (answer) => {
      answer.status = 201;
    }),
  ],
  ['save-again', 'makes it unread', member('is_archived', 0)],
  ['unreadable-page', 'refuses it', refusing(hasBody(/\.invalid/))],
  ['sent-content', 'ignores content', changing(/"content":/g, '"x":')],
  ['bodies', 'refuses arrays', refusing(hasBody(/"tags":\[/))],
  [
    'empty-json-body',
    'wants a body',
    refusing(
      (request) =>
        isOfType('application/json')(request) && request.method !== 'POST' && request.body === '',
    ),
  ],
  [
    'delete',
    'has no id then',
    answering(path('/entries', 'DELETE'), (answer) => {
      answer.text = answer.text.replace('"id":', '"x":');
    }),
  ],
  [
    'changes-move',
    'forgets changes',
    eachEntry((entry) => {
      entry['updated_at'] = entry['created_at'];
    }),
  ],
  [
    'epub',
    'sends a page',
    answering(path('/export'), (answer) => {
      answer.text = '<html></html>';
    }),
  ],
];

const LISTS: readonly Case[] = [
  [
    'envelope',
    'has no page of nothing',
    bodyOf((body) => {
      body['pages'] = body['total'] === 0 ? 0 : body['pages'];
    }),
  ],
  [
    'beyond-the-last',
    'is empty beyond the last page',
    answering(path('page='), (answer) => {
      if (answer.status === 404) {
        Object.assign(answer, { status: 200, text: '{"_embedded":{"items":[]}}' });
      }
    }),
  ],
  ['pages', 'knows one order', asking((at) => at.replace('order=asc', 'order=desc'))],
  ['per-page', 'has a hundred', asking((at) => at.replace('perPage=300', 'perPage=100'))],
  ['blank-parameters', 'refuses blanks', refusing(path('sort=&'))],
  ['many-calls', 'has a limit', refusingAfter(50, path('/api/entries'))],
  [
    'since',
    'is not strict',
    asking((at) => at.replace(/since=(\d+)/, (_, since) => `since=${Number(since) - 1}`)),
  ],
  ['states', 'ignores archive=0', asking((at) => at.replace('archive=0', ''))],
  ['connection-test', 'wants a scheme', refusing(path('wallabag-apiwrapper-test'))],
  [
    'exists',
    'gives no id',
    bodyOf((body) => {
      body['exists'] = Boolean(body['exists']);
    }),
  ],
  [
    'exists-many',
    'drops what is beyond twenty',
    bodyOf((body) => {
      for (const key of Object.keys(body).slice(20)) {
        Reflect.deleteProperty(body, key);
      }
    }),
  ],
];

/** Faults of a wallabag server, each with the conformance check that must detect it. */
export const WALLABAG_BREAKAGES: readonly Case[] = [
  ...[SERVER, TOKENS, WIRE, ENTRIES, LISTS].flat(),
];
