import { gunzipSync, gzipSync } from 'node:zlib';

import { AT_ONCE, inflated } from './inflated.js';

describe('inflated', () => {
  it('inflates a few bodies at a time: each may become a thousand times as large', async () => {
    let running = 0;
    let most = 0;
    const inflate = async (bytes: Buffer): Promise<Buffer> => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return gunzipSync(bytes);
    };

    const bodies = await Promise.all(
      Array.from({ length: 20 }, (_, n) => inflated(gzipSync(`body ${n}`), inflate, 100)),
    );

    expect(bodies.map(String)).toEqual(Array.from({ length: 20 }, (_, n) => `body ${n}`));
    expect(most).toBe(AT_ONCE);
  });

  it('goes on after a body that is not in its encoding', async () => {
    const broken = (): Promise<Buffer> => Promise.reject(new Error('incorrect header check'));

    const results = await Promise.allSettled(
      Array.from({ length: 2 * AT_ONCE }, () => inflated(Buffer.from('x'), broken, 100)),
    );

    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
  });
});
