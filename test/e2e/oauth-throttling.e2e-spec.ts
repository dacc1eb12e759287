import { Agent } from 'node:http';

import type { Response } from 'supertest';

import { OAuthApi } from '../support/oauth-api.js';
import { expectRefusal } from '../support/reading-list-api.js';
import { aTestApp, NO_LIMITS, type TestApp } from '../support/test-app.js';

const PER_ADDRESS = 3;
const PER_KEY = 5;

let app: TestApp;
let reader: OAuthApi;
let hosts = 0;

beforeAll(async () => {
  const limits = { ...NO_LIMITS, oauthRequestPerAddress: PER_ADDRESS, oauthRequestPerKey: PER_KEY };
  app = await aTestApp({ config: { limits } });
});
afterAll(() => app.close());
beforeEach(async () => {
  reader = await OAuthApi.of(app);
});

/** On Linux, every address in 127.0.0.0/8 is this machine. */
const anAddress = (): Agent => {
  hosts += 1;
  return new Agent({ localAddress: `127.3.0.${hosts + 1}` });
};

async function requests(times: number, from: () => Agent, api = reader): Promise<Response[]> {
  const responses: Response[] = [];
  for (let n = 0; n < times; n += 1) {
    responses.push(await api.request().agent(from()));
  }
  return responses;
}

const statusesOf = (responses: Response[]): number[] => responses.map(({ status }) => status);
const rows = async (): Promise<unknown> =>
  (await app.database.query('SELECT count(*) FROM authorization_requests'))[0];

it('returns 429 for OAuth requests over the limit of an address, and stores nothing', async () => {
  const address = anAddress();
  const responses = await requests(PER_ADDRESS, () => address);
  const before = await rows();

  const [refused] = await requests(1, () => address);

  expect(statusesOf(responses)).toEqual([200, 200, 200]);
  expectRefusal(refused!, 429, 199);
  expect(Number(refused!.headers['retry-after'])).toBeGreaterThan(880);
  expect(await rows()).toEqual(before);
});

it('returns 429 for OAuth requests over the limit of a key, and accepts those of other keys', async () => {
  const responses = await requests(PER_KEY + 1, anAddress);
  const others = await requests(1, anAddress, await OAuthApi.of(app));

  expect(statusesOf(responses)).toEqual([200, 200, 200, 200, 200, 429]);
  expect(statusesOf(others)).toEqual([200]);
});

it('does not count OAuth requests over the limit of an address against the key', async () => {
  const address = anAddress();
  await requests(PER_ADDRESS + 10, () => address);

  expect(statusesOf(await requests(PER_KEY - PER_ADDRESS, anAddress))).toEqual([200, 200]);
});

it('does not count OAuth requests with a wrong consumer key against the key', async () => {
  const [id = ''] = reader.key.split('-');
  const stranger = new OAuthApi(app, `${id}-0123456789abcdef01234567`);
  const refused = await requests(PER_KEY + 1, anAddress, stranger);

  expect(new Set(statusesOf(refused))).toEqual(new Set([403]));
  expect(statusesOf(await requests(1, anAddress))).toEqual([200]);
});

it('does not count calls of /v3/oauth/authorize against the limits', async () => {
  const address = anAddress();
  const answers: Response[] = [];
  for (let n = 0; n < PER_KEY + PER_ADDRESS; n += 1) {
    answers.push(await reader.authorize({ code: 'none' }).agent(address));
  }

  expect(new Set(statusesOf(answers))).toEqual(new Set([400]));
});
