import { createSocket, type Socket } from 'node:dgram';

import { dnsLookup } from '../../src/platform/fetching/guarded-agent.js';
import { aFetcher } from '../support/a-fetcher.js';
import { ok, PUBLIC_ADDRESS, PublicHost } from '../support/public-host.js';

const TYPE_A = 1;
const [NO_ERROR, SERVER_FAILURE, NO_SUCH_NAME] = [0, 2, 3];

/** A minimal name server. It answers type A questions with these addresses and all others with nothing. */
class NameServer {
  asked = 0;
  addresses: readonly string[] = [];
  code: number | undefined = NO_ERROR;

  private constructor(private readonly socket: Socket) {
    socket.on('message', (question, { port, address }) => {
      this.asked += 1;
      const answer = this.#answer(question);
      if (answer !== undefined) {
        socket.send(answer, port, address);
      }
    });
  }

  static async start(): Promise<NameServer> {
    const socket = createSocket('udp4');
    await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done));
    return new NameServer(socket);
  }

  get name(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  stop(): void {
    this.socket.close();
  }

  #answer(question: Buffer): Buffer | undefined {
    if (this.code === undefined) {
      return undefined;
    }
    const end = question.indexOf(0, 12) + 5;
    const isA = question.readUInt16BE(end - 4) === TYPE_A;
    const records = isA ? this.addresses.map(record) : [];
    const head = Buffer.from(question.subarray(0, 12));
    head.writeUInt16BE(0x8180 | this.code, 2);
    head.writeUInt16BE(records.length, 6);
    head.fill(0, 8);
    return Buffer.concat([head, question.subarray(12, end), ...records]);
  }
}

function record(address: string): Buffer {
  const fixed = Buffer.from('c00c00010001000000000004', 'hex');
  return Buffer.concat([fixed, Buffer.from(address.split('.').map(Number))]);
}

let host: PublicHost;
let names: NameServer;
beforeAll(async () => {
  [host, names] = await Promise.all([PublicHost.start(), NameServer.start()]);
});
afterAll(async () => {
  names.stop();
  await host.stop();
});
afterEach(() => {
  expect(host.canaryHits).toBe(0);
});

const fetchIt = (name = 'page.example') =>
  aFetcher(host, { network: { lookup: dnsLookup([names.name]) } }).fetch(host.url('/', name));

describe('a DNS name', () => {
  it('is resolved, and its page is fetched', async () => {
    host.answer(ok('<p>here'));
    Object.assign(names, { addresses: [PUBLIC_ADDRESS], code: NO_ERROR });

    expect(await fetchIt()).toMatchObject({ kind: 'page' });
  });

  it('is refused if one of its addresses is private', async () => {
    Object.assign(names, { addresses: [PUBLIC_ADDRESS, '127.0.0.1'], code: NO_ERROR });

    expect(await fetchIt()).toEqual({ kind: 'refused', reason: 'not-public' });
  });

  it.each([
    ['that does not exist', NO_SUCH_NAME, false],
    ['without addresses', NO_ERROR, false],
    ['whose server fails', SERVER_FAILURE, true],
  ])('%s fails the fetch', async (_what, code, isTemporary) => {
    Object.assign(names, { addresses: [], code });

    expect(await fetchIt()).toMatchObject({ kind: 'failed', reason: 'name', isTemporary });
  });

  it('whose name server does not respond fails temporarily', async () => {
    Object.assign(names, { addresses: [], code: undefined });

    expect(await fetchIt()).toMatchObject({ kind: 'failed', isTemporary: true });
  });

  it('is looked up without a search list', async () => {
    Object.assign(names, { addresses: [], code: NO_SUCH_NAME, asked: 0 });

    await fetchIt('ip6-localhost.example');

    expect(names.asked).toBe(2);
  });

  it('whose name server does not respond does not delay other lookups', async () => {
    const silent = Array.from({ length: 50 }, () => dnsLookup([names.name])('silent.example'));
    Object.assign(names, { code: undefined });
    const loud = await NameServer.start();
    loud.addresses = [PUBLIC_ADDRESS];

    const first = await Promise.race([
      dnsLookup([loud.name])('loud.example'),
      ...silent.map((asking) => asking.catch(() => 'a silent one')),
    ]);

    expect(first).toEqual([PUBLIC_ADDRESS]);
    loud.stop();
    await Promise.allSettled(silent);
  });
});

describe('a lookup without a reachable name server', () => {
  it('uses the resolver of the system', async () => {
    const lookup = dnsLookup(['127.0.0.1:9']);

    const addresses = await lookup('localhost');

    expect(['127.0.0.1', '::1']).toEqual(expect.arrayContaining([...addresses]));
    expect(addresses).not.toEqual([]);
  });
});
