// Checks of errors as clients distinguish them: by HTTP status and two headers.
import assert from 'node:assert/strict';

function assertRefused({ status, headers }, statuses, codes) {
  assert.ok(statuses.includes(status), `status ${status}, not ${statuses.join(' or ')}`);
  assert.ok(headers['x-error'], 'no X-Error');
  const code = Number(headers['x-error-code']);
  assert.ok(codes.includes(code), `X-Error-Code ${code}, not ${codes.join(' or ')}`);
}

const STRANGER = '1-0123456789abcdef01234567';

/** Rejected calls, with expected statuses and codes, and the rule that applies. */
const REFUSALS = [
  [
    'missing-key',
    'no consumer key: 400, 138',
    [400],
    [138],
    (work) => work.raw('/v3/get', { members: { access_token: work.credentials.access_token } }),
  ],
  [
    'unknown-key',
    'an unknown consumer key: 401 or 403; 136 or 152',
    [401, 403],
    [136, 152],
    (work) => work.get({ consumer_key: STRANGER }),
  ],
  [
    'unknown-key-oauth',
    'an unknown consumer key at OAuth: 403, 152',
    [403],
    [152],
    (work) => work.call('/v3/oauth/request', { consumer_key: STRANGER, redirect_uri: 'x' }),
  ],
  [
    'bad-token',
    'a bad access token: 401, 107',
    [401],
    [107],
    (work) => work.get({ access_token: 'nobody' }),
  ],
  ['bad-parameter', 'a negative since: 400, 130', [400], [130], (work) => work.get({ since: -1 })],
  [
    'missing-redirect',
    'no redirect_uri: 400, 140',
    [400],
    [140],
    (work) => work.call('/v3/oauth/request'),
  ],
  ['missing-code', 'no code: 400, 182', [400], [182], (work) => work.call('/v3/oauth/authorize')],
  [
    'unknown-code',
    'an unknown code: 400, 185',
    [400],
    [185],
    (work) => work.call('/v3/oauth/authorize', { code: 'dcba4321-dcba-4321-dcba-4321dc' }),
  ],
  [
    'nothing-there',
    'a path where nothing is: 404 with both headers',
    [404],
    Array.from({ length: 100 }, (_, n) => 100 + n),
    (work) => work.call('/v3/nothing'),
  ],
];

/**
 * Creates no account, since the request lacks all parameters. The API itself has no registration, so a server may lack
 * the endpoint.
 */
const REGISTRATION = {
  name: 'registration',
  rule: 'specification, register',
  says: 'a registration without parameters: 400, where registration is closed 403 with its code, elsewhere 404',
  run: async (work) => {
    const { status, body } = await work.raw('/register', { members: {} });
    assert.ok([400, 403, 404, 405].includes(status), `status ${status}`);
    if (status === 403) assert.equal(body?.code, 'registration_closed');
  },
};

const REFUSED = REFUSALS.map(([name, says, statuses, codes, calling]) => ({
  name: `refuses-${name}`,
  rule: 'rule 6, checklist 14',
  says,
  run: async (work) => assertRefused(await calling(work), statuses, codes),
}));

export const ERRORS = [...REFUSED, REGISTRATION];
