import { randomBytes } from 'node:crypto';
import { type Socket } from 'node:net';
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

import { aFetcher } from '../support/a-fetcher.js';
import { until } from '../support/processes.js';
import { ok, PublicHost } from '../support/public-host.js';

const DEADLINE_MS = 500;
/** The deadline plus time for a busy machine. Shorter than the limits of a single answer. */
const PATIENCE_MS = 8000;

let host: PublicHost;
beforeAll(async () => {
  host = await PublicHost.start();
});
afterAll(() => host.stop());
afterEach(async () => {
  expect(host.canaryHits).toBe(0);
  await until(() => host.sockets.size === 0, 'the end of all connections');
});

const NOISE = gzipSync(randomBytes(1000));

const every = (ms: number, socket: Socket, part: string | ((index: number) => Buffer)) => {
  let index = 0;
  const timer = setInterval(
    () => socket.write(typeof part === 'string' ? part : part(index++)),
    ms,
  );
  socket.on('close', () => {
    clearInterval(timer);
  });
};

/** Sends as fast as the client reads. */
const flood = (socket: Socket, chunk: string | Buffer) => {
  const more = (): void => {
    let isTaken = true;
    while (socket.writable && isTaken) {
      isTaken = socket.write(chunk);
    }
  };
  socket.on('drain', more);
  more();
};

describe('a slow host', () => {
  const fetchIt = async () => {
    const start = Date.now();
    const outcome = await aFetcher(host, { deadlineMs: DEADLINE_MS }).fetch(host.url());
    return { outcome, ms: Date.now() - start };
  };

  it.each<[string, Parameters<PublicHost['speak']>[0]]>([
    ['says nothing', () => undefined],
    [
      'sends a line of its head now and then',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        every(100, socket, 'X-Drip: 1\r\n');
      },
    ],
    [
      'sends a byte of its body now and then',
      (socket) => {
        socket.write(
          'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100000\r\n\r\n',
        );
        every(100, socket, 'x');
      },
    ],
    [
      'sends a byte of a gzip body now and then',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n');
        every(100, socket, (index) => NOISE.subarray(index, index + 1));
      },
    ],
    [
      'sends chunk after chunk of a byte',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
        every(100, socket, '1\r\nx\r\n');
      },
    ],
    [
      'redirects slowly',
      (socket, _head, round) => {
        setTimeout(
          () =>
            socket.end(`HTTP/1.1 302 Found\r\nLocation: /${round}\r\nContent-Length: 0\r\n\r\n`),
          200,
        );
      },
    ],
    [
      'promises heads now and then (103)',
      (socket) => {
        every(100, socket, 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n');
      },
    ],
  ])('is disconnected at the deadline: it %s', async (_what, speaker) => {
    host.speak(speaker);

    const { outcome, ms } = await fetchIt();

    expect(outcome).toMatchObject({ kind: 'failed', reason: 'timeout', isTemporary: true });
    expect(ms).toBeLessThan(PATIENCE_MS);
  });

  it('is disconnected at once if it floods the client with 103 responses', async () => {
    host.speak((socket) => {
      flood(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(100));
    });

    const { outcome } = await fetchIt();

    expect(outcome).toMatchObject({ kind: 'failed', reason: 'protocol', isTemporary: false });
  });

  it('is disconnected when the caller aborts the fetch', async () => {
    host.speak(() => undefined);
    const caller = new AbortController();
    const fetching = aFetcher(host).fetch(host.url(), { signal: caller.signal });
    await until(() => host.heads.length > 0);

    caller.abort();

    expect(await fetching).toMatchObject({ kind: 'failed', reason: 'cancelled' });
  });

  it('receives no request if the caller has already aborted the fetch', async () => {
    host.answer(ok('x'));

    const outcome = await aFetcher(host).fetch(host.url(), { signal: AbortSignal.abort() });

    expect(outcome).toMatchObject({ kind: 'failed', reason: 'cancelled' });
    expect(host.heads).toEqual([]);
  });
});

describe('a body that is too large', () => {
  const ZEROS = Buffer.alloc(100_000_000, '<p>');
  const LIMITS = { maxHtmlBytes: 2_000_000, maxBytes: 3_000_000 };
  const FAST = { level: 1 };
  const FAST_BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

  it.each([
    ['gzip', (bytes: Buffer) => gzipSync(bytes, FAST)],
    ['br', (bytes: Buffer) => brotliCompressSync(bytes, FAST_BROTLI)],
    ['deflate', (bytes: Buffer) => deflateSync(bytes, FAST)],
    ['deflate', (bytes: Buffer) => deflateRawSync(bytes, FAST)],
  ])('is truncated at the limit: 100 MB in %s', async (encoding, encode) => {
    host.answer(ok(encode(ZEROS), `Content-Encoding: ${encoding}`));
    const before = process.memoryUsage().rss;

    const outcome = await aFetcher(host, LIMITS).fetch(host.url());

    expect(outcome).toMatchObject({ kind: 'page', isTruncated: true, contentLength: undefined });
    expect(outcome.kind === 'page' && outcome.body.length).toBe(LIMITS.maxHtmlBytes);
    expect(process.memoryUsage().rss - before).toBeLessThan(80_000_000);
  });

  it('is truncated at the limit if it never ends', async () => {
    host.speak((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n');
      flood(socket, 'lorem ipsum '.repeat(5000));
    });

    const outcome = await aFetcher(host, LIMITS).fetch(host.url());

    expect(outcome).toMatchObject({ kind: 'page', isTruncated: true, mimeType: 'text/plain' });
    expect(outcome.kind === 'page' && outcome.body.length).toBe(LIMITS.maxBytes);
  });

  it('is truncated without using more memory if it arrives byte by byte', async () => {
    host.speak((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      flood(socket, '1\r\nx\r\n'.repeat(10_000));
    });
    const before = process.memoryUsage().rss;

    const outcome = await aFetcher(host, LIMITS).fetch(host.url());

    expect(outcome).toMatchObject({ kind: 'page', isTruncated: true });
    expect(process.memoryUsage().rss - before).toBeLessThan(80_000_000);
  });

  it('fails if it is an endless gzip stream without content', async () => {
    const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
    const emptyBlocks = Buffer.alloc(50_000, Buffer.from([0, 0, 0, 0xff, 0xff]));
    host.speak((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n');
      socket.write(header);
      flood(socket, emptyBlocks);
    });

    const outcome = await aFetcher(host, LIMITS).fetch(host.url());

    expect(outcome).toMatchObject({ kind: 'failed', reason: 'protocol' });
  });

  it.each([
    ['image/png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 262_144],
    ['application/zip', Buffer.from('504b0304', 'hex'), 4100],
    ['video/mp4', Buffer.from('000000206674797069736f6d', 'hex'), 4100],
    ['audio/mpeg', Buffer.from('494433', 'hex'), 4100],
  ])('is truncated after its first bytes: %s of 1 GB', async (type, magic, length) => {
    host.speak((socket) => {
      socket.write(
        `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: 1000000000\r\n\r\n`,
      );
      socket.write(magic);
      flood(socket, Buffer.alloc(60_000));
    });

    const outcome = await aFetcher(host).fetch(host.url());

    expect(outcome).toMatchObject({
      kind: 'page',
      isTruncated: true,
      contentLength: 1_000_000_000,
    });
    expect(outcome.kind === 'page' && outcome.body.length).toBe(length);
  });
});

describe('an invalid response', () => {
  it.each([
    ['a head of 100 KB', `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\nx`, 'protocol'],
    ['5,000 headers', `HTTP/1.1 200 OK\r\n${'X-A: b\r\n'.repeat(5000)}\r\nx`, 'protocol'],
    ['HTTP/0.9', '<html>hello</html>', 'protocol'],
    ['SSH', 'SSH-2.0-OpenSSH_9.9\r\n', 'protocol'],
    ['SMTP', '220 mail ESMTP\r\n', 'protocol'],
    ['TLS', Buffer.from('15030300020228', 'hex'), 'protocol'],
    ['a status of 000', 'HTTP/1.1 000 OK\r\nContent-Length: 2\r\n\r\nhi', 'protocol'],
    ['a status of 99', 'HTTP/1.1 099 OK\r\nContent-Length: 2\r\n\r\nhi', 'protocol'],
    ['a status of two digits', 'HTTP/1.1 20 OK\r\nContent-Length: 2\r\n\r\nhi', 'protocol'],
    ['a single byte', 'H', 'connection'],
    ['nothing', '', 'connection'],
    ['half a head', 'HTTP/1.1 200 OK\r\nContent-Ty', 'connection'],
    ['half a body', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf', 'connection'],
    [
      'half a chunk',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nhalf',
      'connection',
    ],
    [
      'chunks that are none',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      'protocol',
    ],
    [
      'two lengths',
      'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd',
      'connection',
    ],
    ['no gzip', ok('plain text', 'Content-Encoding: gzip'), 'encoding'],
    ['no brotli', ok('plain text, and more of it', 'Content-Encoding: br'), 'encoding'],
    ['no deflate', ok('plain text', 'Content-Encoding: deflate'), 'encoding'],
    ['two encodings', ok(gzipSync(gzipSync('x')), 'Content-Encoding: gzip, gzip'), 'encoding'],
    [
      'two encodings in two headers',
      ok(gzipSync(gzipSync('x')), 'Content-Encoding: gzip', 'Content-Encoding: gzip'),
      'encoding',
    ],
    ['an unknown encoding', ok('x', 'Content-Encoding: x-none'), 'encoding'],
    ['an encoding of every object', ok('x', 'Content-Encoding: constructor'), 'encoding'],
    [
      'an upgrade',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
      'connection',
    ],
  ])('fails and leaves no open connection: %s', async (_what, answer, reason) => {
    host.answer(answer);

    const outcome = await aFetcher(host).fetch(host.url());

    expect(outcome).toMatchObject({ kind: 'failed', reason });
  });

  it('is a temporary failure if the connection is reset', async () => {
    host.speak((socket) => socket.resetAndDestroy());

    const outcome = await aFetcher(host).fetch(host.url());

    expect(outcome).toMatchObject({ kind: 'failed', reason: 'connection', isTemporary: true });
  });

  it('is a temporary failure if no server listens on the port', async () => {
    const free = await PublicHost.start();
    await free.stop();

    const outcome = await aFetcher(free).fetch(free.url());

    expect(outcome).toMatchObject({ kind: 'failed', reason: 'connection', isTemporary: true });
  });
});
