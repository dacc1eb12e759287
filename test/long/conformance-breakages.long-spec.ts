import { runChecks } from '../../conformance/run-checks.mjs';
import { BREAKAGES } from '../support/breakages.js';
import { aBreakingProxy, type BreakingProxy } from '../support/breaking-proxy.js';
import { conformance } from '../support/conformance.js';
import { FURTHER_BREAKAGES } from '../support/further-breakages.js';
import { aVisitor, OAuthApi } from '../support/oauth-api.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const ALL_BREAKAGES = [...BREAKAGES, ...FURTHER_BREAKAGES];

let app: TestApp;
let proxy: BreakingProxy;

beforeAll(async () => {
  app = await aTestApp();
  proxy = await aBreakingProxy(app.url);
});
afterAll(async () => {
  await proxy.close();
  await app.close();
});
beforeEach(() => {
  proxy.breakage = {};
});

/** Returns a request code that the list's owner has approved. */
const codeOf = async ({ consumerKey, user }: ReadingListApi): Promise<string> =>
  new OAuthApi(app, consumerKey).agreedCode(await aVisitor(app, user));

describe('a broken server', () => {
  it.each(ALL_BREAKAGES)('fails the check %s when it %s', async (check, _, breakage) => {
    const reader = await ReadingListApi.of(app);
    const { consumerKey, user } = reader;
    const target = { base: proxy.url, consumerKey, accessToken: user.accessToken, spendLimit: 0 };
    const code = await codeOf(reader);
    proxy.breakage = breakage;

    const { results } = await runChecks({ ...target, code }, { only: [check] });

    expect(results).toMatchObject([
      { name: check, outcome: 'failed', reason: expect.stringMatching(/\S/) },
    ]);
  });

  it('exists for every check', async () => {
    const { output } = await conformance('--list');

    const names = output
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0]);
    const broken = [...ALL_BREAKAGES.map(([check]) => check), 'over-limit'];
    expect([...names].sort()).toEqual(broken.sort());
  });
});

describe('a service with closed registration', () => {
  const outcomeOf = async (): Promise<unknown> => {
    const { consumerKey, user } = await ReadingListApi.of(app);
    const target = { base: proxy.url, consumerKey, accessToken: user.accessToken, spendLimit: 0 };
    Object.assign(app.config, { registration: 'closed' });
    const { results } = await runChecks(target, { only: ['registration'] });
    Object.assign(app.config, { registration: 'open' });
    return results[0]?.outcome;
  };

  it('passes only if it returns registration_closed', async () => {
    expect(await outcomeOf()).toBe('passed');
    proxy.breakage = {
      answer: (answer) => {
        answer.text = answer.text.replace('registration_closed', 'form_outdated');
      },
    };
    expect(await outcomeOf()).toBe('failed');
  });
});
