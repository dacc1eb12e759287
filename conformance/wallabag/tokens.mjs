// Checks of tokens: how they are issued, sent and rejected.
import assert from 'node:assert/strict';

const REFUSALS = {
  'an unknown client': { client_id: '1_nobody' },
  'a wrong secret': { client_secret: 'wrong' },
  'an unknown grant': { grant_type: 'magic' },
  'no refresh token': { grant_type: 'refresh_token' },
};

function assertTold({ text, body }, what) {
  assert.ok(body, `${what}: no JSON: ${text.slice(0, 100)}`);
  for (const name of ['error', 'error_description'])
    assert.equal(typeof body[name], 'string', `${what}: ${name} is no text`);
}

/** Apps send the token unencoded. */
const isPlain = (token) => typeof token === 'string' && /^[\w-]+$/.test(token);

async function assertTokens(work, answering, what) {
  const body = await work.ok(answering);
  assert.equal(body.token_type?.toLowerCase(), 'bearer', `${what}: token_type`);
  assert.ok(Number.isInteger(body.expires_in) && body.expires_in > 0, `${what}: expires_in`);
  for (const name of ['access_token', 'refresh_token'])
    assert.ok(isPlain(body[name]), `${what}: ${name} ${JSON.stringify(body[name])}`);
  return body;
}

const asUser = (work, token) =>
  work.raw('/api/entries', {
    query: { perPage: 1, detail: 'metadata' },
    headers: { Authorization: `Bearer ${token}` },
  });

export const TOKENS = [
  {
    name: 'password-grant',
    rule: 'all',
    says: 'the password grant takes JSON and a form, and gives tokens of letters, digits, - and _',
    run: async (work) => {
      for (const as of ['json', 'form']) await assertTokens(work, work.logIn({}, { as }), as);
    },
  },
  {
    name: 'refresh-grant',
    rule: 'Android, Frigoligo',
    says: 'a refresh gives another refresh token, and the access token before it lives on',
    run: async (work) => {
      const first = await work.ok(work.logIn());
      const members = { grant_type: 'refresh_token', refresh_token: first.refresh_token };
      const second = await assertTokens(work, work.token(members, { as: 'form' }), 'refresh');
      assert.notEqual(second.refresh_token, first.refresh_token);
      for (const { access_token: token } of [first, second]) await work.ok(asUser(work, token));
    },
  },
  {
    name: 'many-logins',
    rule: 'KOReader, iOS, Wallabagger',
    says: 'logins that succeed meet no limit, and end no token of an earlier one',
    run: async (work) => {
      const first = await work.ok(work.logIn());
      for (let login = 0; login < 12; login += 1) await work.ok(work.logIn());
      await work.ok(asUser(work, first.access_token));
    },
  },
  {
    name: 'token-refusals',
    rule: 'Android, Frigoligo',
    says: 'every refusal of tokens is 400 with error and error_description',
    run: async (work) => {
      for (const [what, members] of Object.entries(REFUSALS)) {
        const answer = await work.logIn(members);
        assert.equal(answer.status, 400, `${what}: status ${answer.status}`);
        assertTold(answer, what);
      }
    },
  },
  {
    name: 'wrong-password',
    rule: 'Android, iOS',
    says: 'a wrong password is 400 invalid_grant',
    run: async (work) => {
      const answer = await work.logIn({ password: 'wrong' });
      assert.equal(answer.status, 400, `status ${answer.status}`);
      assertTold(answer, 'a wrong password');
      assert.equal(answer.body.error, 'invalid_grant');
    },
  },
  {
    name: 'refused-refresh',
    rule: 'Android, Frigoligo',
    says: 'a wrong refresh token is 400 invalid_grant, whose description says "refresh token"',
    run: async (work) => {
      const answer = await work.token({ grant_type: 'refresh_token', refresh_token: 'nothing' });
      assert.equal(answer.status, 400, `status ${answer.status}`);
      assert.equal(answer.body?.error, 'invalid_grant');
      assert.match(answer.body.error_description, /refresh token/i);
    },
  },
  {
    name: 'refused-token',
    rule: 'Android, Obsidian',
    says: 'a wrong access token is 401 invalid_grant, and none is 401, both with a description',
    run: async (work) => {
      const wrong = await asUser(work, 'nothing');
      const none = await work.raw('/api/entries');
      for (const answer of [wrong, none]) {
        assert.equal(answer.status, 401, `status ${answer.status}`);
        assertTold(answer, 'a refused token');
      }
      assert.equal(wrong.body.error, 'invalid_grant');
    },
  },
  {
    name: 'token-in-parameters',
    rule: 'wallabag_api, wallabag.el',
    says: 'the access token is taken from the query, from a form and from a JSON body',
    run: async (work) => {
      const { access_token } = await work.tokens();
      await work.ok(work.raw('/api/entries', { query: { access_token } }));
      for (const as of ['form', 'json']) {
        const { id } = await work.save();
        const members = { access_token, starred: 1 };
        await work.ok(work.raw(`/api/entries/${id}`, { method: 'PATCH', as, members }));
      }
    },
  },
];
