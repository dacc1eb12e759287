// Checks of headers that clients read.
import assert from 'node:assert/strict';

const SIX = ['User', 'Key'].flatMap((whose) =>
  ['Limit', 'Remaining', 'Reset'].map((what) => `x-limit-${whose}-${what}`.toLowerCase()),
);

const answersOf = async (work) => [
  await work.get({ count: 1 }),
  await work.call('/v3/add', { url: work.url() }),
  await work.send([]),
  await work.get({ since: -1 }),
  await work.get({ access_token: 'nobody' }),
  await work.raw('/v3/get', { members: {} }),
];

const withoutStrings = (json) => json.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');

export const HEADERS = [
  {
    name: 'content-type',
    rule: 'rule 24',
    says: 'Content-Type is exactly application/json',
    run: async (work) => {
      const json = { headers: { 'X-Accept': 'application/json' } };
      const asked = await work.call('/v3/oauth/request', { redirect_uri: 'not_needed' }, json);
      for (const { headers } of [asked, ...(await answersOf(work)).slice(0, 3)]) {
        assert.equal(headers['content-type'], 'application/json');
      }
    },
  },
  {
    name: 'compact-json',
    rule: 'rule 25',
    says: 'JSON is compact',
    run: async (work) => {
      await work.save();
      for (const { text } of (await answersOf(work)).slice(0, 3)) {
        assert.doesNotMatch(withoutStrings(text.trim()), /\s/, 'white space between members');
      }
    },
  },
  {
    name: 'source-header',
    rule: 'rule 27, checklist 14',
    says: 'X-Source: Pocket is on every answer, failures included',
    run: async (work) => {
      for (const { status, headers } of await answersOf(work)) {
        assert.equal(headers['x-source'], 'Pocket', `of an answer with status ${status}`);
      }
    },
  },
  {
    name: 'limit-headers',
    rule: 'rule 27, checklist 14',
    says: 'all six X-Limit headers are on every answer, as whole numbers',
    run: async (work) => {
      for (const { status, headers } of await answersOf(work)) {
        for (const name of SIX) {
          assert.match(String(headers[name]), /^\d+$/, `${name} of an answer with ${status}`);
        }
      }
    },
  },
  {
    name: 'lower-case-headers',
    rule: 'rule 28',
    says: 'X-Error and X-Error-Code are in lower case on HTTP/1.1',
    run: async (work) => {
      const { headerNames } = await work.raw('/v3/get', { members: {} });
      for (const name of ['x-error', 'x-error-code']) {
        assert.ok(headerNames.includes(name), `${name} is not among ${headerNames.join(', ')}`);
      }
    },
  },
  {
    name: 'over-limit',
    rule: 'checklist 15',
    says: 'over the limit: 429 or 403, Remaining 0, Reset in seconds (only with --spend-limit)',
    isRun: ({ spendLimit }) => spendLimit > 0,
    isLast: true,
    run: async (work) => {
      let answer = await work.get({ count: 1 });
      for (let n = 1; n < work.spendLimit && answer.status === 200; n += 1) {
        answer = await work.get({ count: 1 });
      }
      assert.ok([429, 403].includes(answer.status), `status ${answer.status} after all calls`);
      const reset = ['user', 'key'].find((of) => answer.headers[`x-limit-${of}-remaining`] === '0');
      assert.ok(reset, 'no Remaining is 0');
      assert.ok(Number(answer.headers[`x-limit-${reset}-reset`]) <= 86_400, 'Reset is no duration');
    },
  },
];
