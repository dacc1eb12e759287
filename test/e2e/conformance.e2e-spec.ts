import { runChecks } from '../../conformance/run-checks.mjs';
import { Dialect } from '../../src/consumers/entities/consumer-key.entity.js';
import { BREAKAGES } from '../support/breakages.js';
import { aBreakingProxy, type BreakingProxy } from '../support/breaking-proxy.js';
import { conformance, resultsOf } from '../support/conformance.js';
import { FURTHER_BREAKAGES } from '../support/further-breakages.js';
import { aVisitor, OAuthApi } from '../support/oauth-api.js';
import { AN_HOUR_AGO, ReadingListApi } from '../support/reading-list-api.js';
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

/** A code to which the user of the list has agreed. */
const codeOf = async ({ consumerKey, user }: ReadingListApi): Promise<string> =>
  new OAuthApi(app, consumerKey).agreedCode(await aVisitor(app, user));

describe.each(Object.values(Dialect))('a service in the %s dialect', (dialect) => {
  it('passes every check, and is left as it was', async () => {
    const reader = await ReadingListApi.of(app, { dialect });
    await reader.saved('https://example.com/mine', { tags: 'mine' });
    const before = await reader.items({ detailType: 'complete' });

    const answer = await conformance(
      ...['--base', proxy.url, '--consumer-key', reader.consumerKey, '--json'],
      ...['--access-token', reader.user.accessToken, '--code', await codeOf(reader)],
    );

    const outcomes = resultsOf(answer).filter(({ outcome }) => outcome !== 'passed');
    expect(outcomes).toEqual([expect.objectContaining({ name: 'over-limit', outcome: 'skipped' })]);
    expect(answer.status).toBe(0);
    expect(await reader.items({ detailType: 'complete' })).toEqual(before);
    const found = await reader.found({ since: AN_HOUR_AGO, forcetaglist: 1 });
    expect(found.tags).toEqual(['mine']);
  });
});

describe('a server that is wrong', () => {
  it.each(ALL_BREAKAGES)('fails %s when it %s', async (check, _, breakage) => {
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

  it('is there for every check', async () => {
    const { output } = await conformance('--list');

    const names = output
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0]);
    const broken = [...ALL_BREAKAGES.map(([check]) => check), 'over-limit'];
    expect([...names].sort()).toEqual(broken.sort());
  });
});

describe('a service where registration is closed', () => {
  const outcomeOf = async (): Promise<unknown> => {
    const { consumerKey, user } = await ReadingListApi.of(app);
    const target = { base: proxy.url, consumerKey, accessToken: user.accessToken, spendLimit: 0 };
    Object.assign(app.config, { registration: 'closed' });
    const { results } = await runChecks(target, { only: ['registration'] });
    Object.assign(app.config, { registration: 'open' });
    return results[0]?.outcome;
  };

  it('passes with its code alone', async () => {
    expect(await outcomeOf()).toBe('passed');
    proxy.breakage = {
      answer: (answer) => {
        answer.text = answer.text.replace('registration_closed', 'form_outdated');
      },
    };
    expect(await outcomeOf()).toBe('failed');
  });
});

describe('the program', () => {
  it.each([
    [[], 'missing: --base, --consumer-key, --access-token'],
    [['--base', 'ftp://x', '--consumer-key', 'k', '--access-token', 't'], '--base is no http URL'],
    [['--nonsense'], 'nonsense'],
    [
      ['--base', 'http://x', '--consumer-key', 'k', '--access-token', 't', '--only', 'nothing'],
      'there is no check named nothing',
    ],
  ])('explains a wrong call %j', async (args, message) => {
    const { status, output } = await conformance(...args);

    expect(status).toBe(2);
    expect(output).toContain(message);
    expect(output).toContain('npm run conformance');
  });

  it('reports to people', async () => {
    const { consumerKey, user } = await ReadingListApi.of(app);
    const args = ['--base', app.url, '--consumer-key', consumerKey, '--only', 'item-types'];

    const passed = await conformance(...args, '--access-token', user.accessToken);
    const failed = await conformance(...args, '--access-token', 'nobody');

    expect(passed.output).toMatch(/^ok {4}item-types[^]*1 passed, 0 failed, 0 not asked for/);
    expect(failed.output).toMatch(/^FAIL {2}item-types[^]*status 401[^]*0 passed, 1 failed/);
    expect(failed.status).toBe(1);
  });

  it('fails when no server answers', async () => {
    const args = ['--base', 'http://127.0.0.1:1', '--consumer-key', 'k', '--access-token', 't'];

    const { status, output } = await conformance(...args, '--only', 'envelope');

    expect([status, output]).toEqual([1, expect.stringContaining('ECONNREFUSED')]);
  });
});
