import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';

import { until } from '../support/processes.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

/** The time between two checks of a body (body-deadline.ts). */
const PERIOD_MS = 15_000;
/** More than must arrive between two checks. */
const FAST_BYTES = 2_500_000;

let app: TestApp;
let api: ReadingListApi;
let itemId: string;
/** The checks of bodies that are due. Tests call them instead of waiting. */
let checks: (() => void)[];
const sockets: Socket[] = [];

beforeAll(async () => {
  app = await aTestApp();
  app.app.getHttpServer().on('connection', (socket: Socket) => sockets.push(socket));
  api = await ReadingListApi.of(app);
  itemId = await api.saved('https://example.com/page');
});
afterAll(() => app.close());
beforeEach(() => {
  checks = [];
  const { setTimeout: start } = globalThis;
  jest.spyOn(globalThis, 'setTimeout').mockImplementation((work, ms) => {
    const isCheck = ms === PERIOD_MS;
    if (isCheck) {
      checks.push(work);
    }
    return start(isCheck ? () => undefined : work, ms);
  });
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** A call whose body has begun to arrive. */
class SlowCall {
  private constructor(
    private readonly sent: ClientRequest,
    private readonly answered: Promise<IncomingMessage>,
  ) {}

  /** Resolves when the service has received `bytes` bytes of the HTML and waits for the rest. */
  static async begun(path: string, bytes: number): Promise<SlowCall> {
    const headers = { 'content-type': 'application/json' };
    const sent = request(`${app.url}${path}`, { method: 'POST', headers, agent: false });
    const answered = once(sent, 'response').then(([response]) => response as IncomingMessage);
    const { length } = sockets;
    const members = JSON.stringify({ ...api.credentials, item_id: itemId }).slice(0, -1);
    sent.write(`${members},"html":"<p>${'a'.repeat(bytes)}`);
    await until(() => (sockets[length]?.bytesRead ?? 0) > bytes && checks.length > 0);
    return new SlowCall(sent, answered);
  }

  end(): void {
    this.sent.end('"}');
  }

  async status(): Promise<number | undefined> {
    const response = await this.answered;
    response.resume();
    return response.statusCode;
  }
}

const check = (): void => checks.shift()?.();

describe('an upload to /v3/snapshot that takes longer than 15 seconds', () => {
  it('is accepted if it arrives fast enough', async () => {
    const call = await SlowCall.begun('/v3/snapshot', FAST_BYTES);

    check();
    expect(checks).toHaveLength(1);
    call.end();

    expect(await call.status()).toBe(200);
  });

  it('is refused if too little arrives in a later period', async () => {
    const call = await SlowCall.begun('/v3/snapshot', FAST_BYTES);

    check();
    expect(checks).toHaveLength(1);
    check();

    expect(await call.status()).toBe(408);
  });

  it('is refused if too little arrives at all', async () => {
    const call = await SlowCall.begun('/v3/snapshot', 1000);

    check();

    expect(await call.status()).toBe(408);
  });
});

it('another call is refused after 15 seconds', async () => {
  const call = await SlowCall.begun('/v3/add', 1000);

  check();

  expect(await call.status()).toBe(408);
});
