import { Dialect } from '../../src/auth/consumers/entities/consumer-key.entity.js';
import { conformance, resultsOf } from '../support/conformance.js';
import { aVisitor, OAuthApi } from '../support/oauth-api.js';
import { AN_HOUR_AGO, ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

/** Returns a request code that the list's owner has approved. */
const codeOf = async ({ consumerKey, user }: ReadingListApi): Promise<string> =>
  new OAuthApi(app, consumerKey).agreedCode(await aVisitor(app, user));

describe.each(Object.values(Dialect))('the conformance checks in the %s dialect', (dialect) => {
  it('pass except for over-limit, which is skipped, and leave the list unchanged', async () => {
    const reader = await ReadingListApi.of(app, { dialect });
    await reader.saved('https://example.com/mine', { tags: 'mine' });
    const before = await reader.items({ detailType: 'complete' });

    const answer = await conformance(
      ...['--base', app.url, '--consumer-key', reader.consumerKey, '--json'],
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

describe('the conformance program', () => {
  it.each([
    [[], 'missing: --base, --consumer-key, --access-token'],
    [['--base', 'ftp://x', '--consumer-key', 'k', '--access-token', 't'], '--base is no http URL'],
    [['--nonsense'], 'nonsense'],
    [
      ['--base', 'http://x', '--consumer-key', 'k', '--access-token', 't', '--only', 'nothing'],
      'there is no check named nothing',
    ],
  ])('prints the error and the usage for %j', async (args, message) => {
    const { status, output } = await conformance(...args);

    expect(status).toBe(2);
    expect(output).toContain(message);
    expect(output).toContain('npm run conformance');
  });

  it('prints a report of passed and failed checks', async () => {
    const { consumerKey, user } = await ReadingListApi.of(app);
    const args = ['--base', app.url, '--consumer-key', consumerKey, '--only', 'item-types'];

    const passed = await conformance(...args, '--access-token', user.accessToken);
    const failed = await conformance(...args, '--access-token', 'nobody');

    expect(passed.output).toMatch(/^ok {4}item-types[^]*1 passed, 0 failed, 0 not asked for/);
    expect(failed.output).toMatch(/^FAIL {2}item-types[^]*status 401[^]*0 passed, 1 failed/);
    expect(failed.status).toBe(1);
  });

  it('fails if no server responds', async () => {
    const args = ['--base', 'http://127.0.0.1:1', '--consumer-key', 'k', '--access-token', 't'];

    const { status, output } = await conformance(...args, '--only', 'envelope');

    expect([status, output]).toEqual([1, expect.stringContaining('ECONNREFUSED')]);
  });
});
