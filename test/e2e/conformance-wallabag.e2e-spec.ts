import type { WallabagTarget } from '../../conformance/run-checks.mjs';
import { Permission } from '../../src/auth/consumers/permission.js';
import { conformance, resultsOf } from '../support/conformance.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { WallabagApi } from '../support/wallabag-api.js';
import { WALLABAG_BREAKAGES } from '../support/wallabag-breakages.js';

let app: TestApp;
let reader: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  reader = await ReadingListApi.of(app);
});

async function aTarget(client?: WallabagApi): Promise<WallabagTarget> {
  const { clientId, clientSecret } = (client ?? (await WallabagApi.of(app))).client;
  const { email: username, password } = reader.user;
  return { base: `${app.url}/wallabag`, clientId, clientSecret, username, password };
}

function optionsOf(target: WallabagTarget): string[] {
  const { base, clientId, clientSecret, username, password } = target;
  return [
    ...['--wallabag', '--base', base, '--client-id', clientId, '--client-secret', clientSecret],
    ...['--username', username, '--password', password],
  ];
}

describe('the wallabag conformance program against this service', () => {
  it('passes every check, and leaves the list unchanged', async () => {
    await reader.saved('https://example.com/mine', { tags: 'mine' });
    const everything = { state: 'all', detailType: 'complete', forcetaglist: 1 };
    const before = await reader.items(everything);

    const answer = await conformance(...optionsOf(await aTarget()), '--json');

    expect(resultsOf(answer).filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    expect(resultsOf(answer)).toHaveLength(WALLABAG_BREAKAGES.length);
    expect(answer.status).toBe(0);
    expect(await reader.items(everything)).toEqual(before);
  });
});

describe('the wallabag conformance program against a server that rejects deletions', () => {
  it('reports how many entries it could not delete', async () => {
    const target = await aTarget(
      await WallabagApi.of(app, { permissions: [Permission.Add, Permission.Retrieve] }),
    );

    const args = [...optionsOf(target), '--only', 'filled-members'];
    const { status, output } = await conformance(...args);

    expect(output).toContain('1 passed, 0 failed');
    expect(output).toContain('1 items of this run could not be deleted');
    expect(status).toBe(1);
  });
});

describe('the wallabag conformance program', () => {
  it.each([
    [[], 'missing: --base, --client-id, --client-secret, --username, --password'],
    [
      [
        ...['--base', 'http://x', '--client-id', 'i', '--client-secret', 's'],
        ...['--username', 'u', '--password', 'p', '--only', 'item-types'],
      ],
      'there is no check named item-types',
    ],
  ])('prints the error and the usage for the arguments %j', async (args, message) => {
    const { status, output } = await conformance('--wallabag', ...args);

    expect(status).toBe(2);
    expect(output).toContain(message);
    expect(output).toContain('npm run conformance -- --wallabag');
  });

  it('reports a failed check with status 400 if the password is wrong', async () => {
    const target = { ...(await aTarget()), password: 'wrong' };

    const args = [...optionsOf(target), '--only', 'dates'];
    const { status, output } = await conformance(...args);

    expect(output).toMatch(/^FAIL {2}dates[^]*status 400[^]*0 passed, 1 failed/);
    expect(status).toBe(1);
  });
});
