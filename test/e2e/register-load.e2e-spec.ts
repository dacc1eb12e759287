import bcrypt from 'bcrypt';

import { AccountApi, aPerson } from '../support/account-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

/** More than the maximum queue for hashing (docs/decisions/0005). */
const CALLS = 100;
const hashing: { hash: (text: string, cost: number) => Promise<string> } = bcrypt;
const hash = hashing.hash.bind(bcrypt);

describe('100 concurrent calls of POST /register', () => {
  let app: TestApp;
  let api: AccountApi;

  beforeAll(async () => {
    app = await aTestApp();
    api = new AccountApi(app);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => app.close());

  const statuses = async (person: object): Promise<number[]> => {
    const calls = Array.from({ length: CALLS }, () => api.post('/register', person));
    return (await Promise.all(calls)).map(({ status }) => status).sort();
  };

  it('return 409 for an existing address and hash no password', async () => {
    const person = await api.registered();
    const hashed = jest.spyOn(hashing, 'hash');

    expect(await statuses(person)).toEqual(Array<number>(CALLS).fill(409));
    expect(hashed).not.toHaveBeenCalled();
  });

  it('create one account, hash one password and return 409 for the other calls', async () => {
    const hashed = jest.spyOn(hashing, 'hash').mockImplementation(async (text, cost) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      return hash(text, cost);
    });

    expect(await statuses(aPerson())).toEqual([201, ...Array<number>(CALLS - 1).fill(409)]);
    expect(hashed).toHaveBeenCalledTimes(1);
  });
});
