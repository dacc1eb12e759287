import bcrypt from 'bcrypt';

import { AccountApi, PASSWORD } from '../support/account-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const COST = 5;
const hashing: { compare: (text: string, hash: string) => Promise<boolean> } = bcrypt;
const compare = hashing.compare.bind(bcrypt);

describe('POST /login', () => {
  let app: TestApp;
  let api: AccountApi;

  beforeAll(async () => {
    app = await aTestApp({ config: { bcryptCost: COST } });
    api = new AccountApi(app);
    await api.registered({ email: 'known@example.com' });
    const { id } = await api.registered({ email: 'disabled@example.com' });
    await app.database.query('UPDATE users SET disabled_at = now() WHERE id = $1', [id]);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => app.close());

  // The comparison is the slow part. Nothing else distinguishes the rejections from outside.
  it.each([
    ['a wrong password', 'known@example.com', 'a wrong pass phrase'],
    ['an unknown address', 'nobody@example.com', PASSWORD],
    ['a disabled account', 'disabled@example.com', PASSWORD],
    ['a password of 73 bytes', 'known@example.com', 'p'.repeat(73)],
  ])('rejects %s after one bcrypt comparison at full cost', async (_, email, password) => {
    const costs: number[] = [];
    jest.spyOn(hashing, 'compare').mockImplementation(async (text, hash) => {
      costs.push(bcrypt.getRounds(hash));
      return compare(text, hash);
    });

    await api.login({ email, password }).expect(401);

    expect(costs).toEqual([COST]);
  });

  it('returns 401, or 503 with Retry-After, to 100 concurrent calls with a wrong password', async () => {
    const wrong = { email: 'known@example.com', password: 'a wrong pass phrase' };
    // Delays each comparison until some call has been answered without one, so that the machine's speed does not
    // matter.
    jest.spyOn(hashing, 'compare').mockImplementation(async (text, hash) => {
      await Promise.race(calls);
      return compare(text, hash);
    });

    const calls = Array.from({ length: 100 }, () => api.login(wrong).then());
    const responses = await Promise.all(calls);

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
