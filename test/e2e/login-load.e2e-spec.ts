import { performance } from 'node:perf_hooks';

import { AccountApi, PASSWORD } from '../support/account-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

/** A hash must take long beside everything else that a request does. */
const SLOW_COST = 9;
const SAMPLES = 4;

describe('POST /login with hashes that take time', () => {
  let app: TestApp;
  let api: AccountApi;

  beforeAll(async () => {
    app = await aTestApp({ config: { bcryptCost: SLOW_COST } });
    api = new AccountApi(app);
    await api.registered({ email: 'known@example.com' });
    const { id } = await api.registered({ email: 'disabled@example.com' });
    await app.database.query('UPDATE users SET disabled_at = now() WHERE id = $1', [id]);
  });
  afterAll(() => app.close());

  const millisecondsOf = async (email: string, password: string): Promise<number> => {
    const begin = performance.now();
    await api.login({ email, password }).expect(401);
    return performance.now() - begin;
  };

  it.each([
    ['an unknown address', 'nobody@example.com', PASSWORD],
    ['a disabled account', 'disabled@example.com', PASSWORD],
    ['a password of 73 bytes', 'known@example.com', 'p'.repeat(73)],
  ])(
    'takes about as long to refuse %s as to refuse a wrong password',
    async (_, email, password) => {
      const wrong: number[] = [];
      const other: number[] = [];

      for (let n = 0; n < SAMPLES; n += 1) {
        wrong.push(await millisecondsOf('known@example.com', 'a wrong pass phrase'));
        other.push(await millisecondsOf(email, password));
      }

      // The fastest of several: a busy machine disturbs it least.
      const ratio = Math.min(...other) / Math.min(...wrong);
      expect(ratio).toBeGreaterThan(0.5);
      expect(ratio).toBeLessThan(2);
    },
  );

  it('tells some of 100 callers at the same moment to come back, and fails none', async () => {
    const wrong = { email: 'known@example.com', password: 'a wrong pass phrase' };

    const responses = await Promise.all(Array.from({ length: 100 }, () => api.login(wrong)));

    const busy = responses.filter(({ status }) => status !== 401);
    expect(busy.length).toBeGreaterThan(0);
    expect(busy.length).toBeLessThan(responses.length);
    for (const response of busy) {
      expect([response.status, response.body.code]).toEqual([503, 'service_busy']);
      expect(response.headers['retry-after']).toBe('1');
    }
    await api.login({ ...wrong, password: PASSWORD }).expect(200);
  });
});
