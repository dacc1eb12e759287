// Checks of authorization up to the steps that need a person.
import assert from 'node:assert/strict';

const JSON_PLEASE = { headers: { 'X-Accept': 'application/json' } };
const REDIRECTS = [
  'not_needed',
  '/',
  'pocketapp1234:authorizationFinished',
  'obsidian://pocket-auth',
];

/** Redirect URLs: the one in the client's request, and the one that the client passes to the browser. */
const BROWSER_REDIRECTS = [
  ['not_needed', 'https://example.com/i/?c=pocket'],
  ['/', 'http://127.0.0.1:1880/callback'],
  ['/import', 'https://example.com/import/callback'],
  ['https://example.com/back', 'https://example.com/back/'],
];

const requested = (work, members, options) =>
  work.call('/v3/oauth/request', { redirect_uri: 'not_needed', ...members }, options);

export const OAUTH = [
  {
    name: 'oauth-form',
    rule: 'rule 5, checklist 13',
    says: 'OAuth answers a form unless X-Accept asks for JSON',
    run: async (work) => {
      const { status, text } = await requested(work, {}, { as: 'form' });
      assert.equal(status, 200);
      assert.match(new URLSearchParams(text).get('code') ?? '', /^[\w-]+$/, `no code in: ${text}`);
    },
  },
  {
    name: 'oauth-json',
    rule: 'rule 5, checklist 13',
    says: 'OAuth answers JSON when X-Accept asks for it',
    run: async (work) => {
      const { code } = await work.ok(requested(work, {}, JSON_PLEASE));
      assert.equal(typeof code, 'string', 'no code');
    },
  },
  {
    name: 'oauth-state',
    rule: 'checklist 13',
    says: 'state is handed back',
    run: async (work) => {
      const { state } = await work.ok(requested(work, { state: 'a b&c' }, JSON_PLEASE));
      assert.equal(state, 'a b&c');
    },
  },
  {
    name: 'any-redirect',
    rule: 'rule 29',
    says: 'redirect_uri may be anything',
    run: async (work) => {
      for (const redirect_uri of REDIRECTS) {
        const { status } = await requested(work, { redirect_uri }, JSON_PLEASE);
        assert.equal(status, 200, `status ${status} for ${redirect_uri}`);
      }
    },
  },
  {
    name: 'browser-redirect',
    rule: 'rule 29',
    says: 'the redirect_uri of a browser and of the exchange need not be the text of the request',
    run: async (work) => {
      for (const [asked, given] of BROWSER_REDIRECTS) {
        const { code } = await work.ok(requested(work, { redirect_uri: asked }, JSON_PLEASE));
        const page = await work.raw('/auth/authorize', {
          method: 'GET',
          query: { request_token: code, redirect_uri: given },
        });
        assert.ok(page.status < 400, `status ${page.status} for ${given} after ${asked}`);
        const exchange = { code, redirect_uri: given };
        const { headers } = await work.call('/v3/oauth/authorize', exchange, JSON_PLEASE);
        assert.equal(headers['x-error-code'], '158', `exchange with ${given} after ${asked}`);
      }
    },
  },
  {
    name: 'unapproved-code',
    rule: 'rule 6, checklist 13',
    says: 'a code to which nobody has agreed: 403, 158',
    run: async (work) => {
      const { code } = await work.ok(requested(work, {}, JSON_PLEASE));
      const { status, headers } = await work.call('/v3/oauth/authorize', { code }, JSON_PLEASE);
      assert.deepEqual([status, headers['x-error-code']], [403, '158']);
    },
  },
  {
    name: 'approved-code',
    rule: 'rule 22, checklist 13',
    says: 'an agreed code gives access_token and username, once: then 403, 159 (only with --code)',
    isRun: ({ code }) => code !== undefined,
    run: async (work) => {
      const exchange = () => work.call('/v3/oauth/authorize', { code: work.code }, JSON_PLEASE);
      const { access_token, username } = await work.ok(exchange());
      assert.deepEqual([typeof access_token, typeof username], ['string', 'string']);
      const { status, headers } = await exchange();
      assert.deepEqual([status, headers['x-error-code']], [403, '159']);
    },
  },
];
