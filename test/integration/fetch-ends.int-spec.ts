import { DEFAULT_FETCH_SETTINGS } from '../../src/platform/fetching/fetch-settings.js';
import { guardedAgent } from '../../src/platform/fetching/guarded-agent.js';
import { sendRequest } from '../../src/platform/fetching/http-request.js';
import { until } from '../support/processes.js';
import { allowPlayed, ok, PUBLIC_ADDRESS, PublicHost } from '../support/public-host.js';

let host: PublicHost;
beforeAll(async () => {
  host = await PublicHost.start();
});
afterAll(() => host.stop());

/** Returns a response with an unread body. */
async function unread() {
  const agent = await guardedAgent({
    lookup: () => Promise.resolve([PUBLIC_ADDRESS]),
    allow: allowPlayed,
  });
  const { body } = await sendRequest(new URL(host.url()), {
    ...{ agent, userAgent: 'Satchel/test', validators: {}, proxy: undefined },
    signal: new AbortController().signal,
  });
  return { body, close: () => agent.destroy() };
}

const lengthOf = async (body: AsyncIterable<Uint8Array>): Promise<number> => {
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
  }
  return length;
};

describe('a connection that ends before its response is read', () => {
  it.each([64 * 1024, 1_000_000, DEFAULT_FETCH_SETTINGS.maxBytes])(
    'provides the whole body of %d bytes',
    async (length) => {
      host.answer(ok(Buffer.alloc(length, 'a'), 'Connection: close'));
      const { body, close } = await unread();
      await until(() => host.sockets.size === 0, 'the end of the connection');

      expect(await lengthOf(body)).toBe(length);
      await close();
    },
  );

  it('does not crash the process if the body is larger than any document', async () => {
    const total = 40_000_000;
    host.answer(ok(Buffer.alloc(total, 'a'), 'Connection: close'));
    const { body, close } = await unread();
    const reading = lengthOf(body).catch((error: unknown) => error);
    await close();

    expect(await reading).not.toBe(total);
  });

  it('does not crash the process if it is reset', async () => {
    host.speak((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 40000000\r\n\r\n');
      socket.write(Buffer.alloc(40_000_000, 'a'), () => undefined);
      setTimeout(() => socket.resetAndDestroy(), 300);
    });
    const { body, close } = await unread();
    await until(() => host.sockets.size === 0, 'the end of the connection');
    const reading = lengthOf(body).catch((error: unknown) => error);
    await close();

    expect(await reading).toBeInstanceOf(Error);
  });
});
