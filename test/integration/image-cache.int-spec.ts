import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ImageCache, NoImage } from '../../src/articles/images/image-cache.js';
import { configFrom } from '../../src/platform/config/config.js';
import { TestClock } from '../support/test-app.js';

let folder: string;
let clock: TestClock;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'satchel-images-'));
  clock = new TestClock();
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const aCache = (megabytes: number): ImageCache =>
  new ImageCache({ ...configFrom({ DATA_DIR: folder }), imageCacheMegabytes: megabytes }, clock);

const names = (): string[] => readdirSync(folder, { recursive: true }).map(String);

describe('the image cache', () => {
  it('returns a stored image, even from another instance', async () => {
    await aCache(1).keep('https://a.example/1.jpg', Buffer.from('picture'));

    expect(await aCache(1).find('https://a.example/1.jpg')).toEqual(Buffer.from('picture'));
    expect(await aCache(1).find('https://a.example/2.jpg')).toBeUndefined();
    expect(names().filter((name) => name.includes('example'))).toEqual([]);
  });

  it('deletes the least recently used image before it exceeds its size limit', async () => {
    const cache = aCache(1);
    for (const n of [1, 2, 3, 4]) {
      await cache.keep(`https://a.example/${n}`, Buffer.alloc(240_000, 1));
      await cache.find(`https://a.example/${n}`);
      clock.advance(60);
    }
    await cache.find('https://a.example/1');
    clock.advance(60);

    await cache.keep('https://a.example/5', Buffer.alloc(240_000, 1));

    const kept = await Promise.all(
      [1, 2, 3, 4, 5].map(async (n) => (await cache.find(`https://a.example/${n}`)) !== undefined),
    );
    expect(kept.filter(Boolean).length).toBeLessThanOrEqual(4);
    expect([kept[0], kept[1], kept[3]]).toEqual([true, false, true]);
  });

  it('hardly exceeds its size limit when several processes fill it', async () => {
    const caches = [aCache(1), aCache(1), aCache(1)];
    for (let n = 0; n < 60; n += 1) {
      await caches[n % 3]!.keep(`https://a.example/${n}`, Buffer.alloc(50_000, 1));
      clock.advance(1);
    }

    const sizes = names().filter((name) => /[0-9a-f]{64}$/.test(name)).length * 50_000;
    expect(sizes).toBeLessThanOrEqual(1_600_000);
  });

  it('limits the number of entries for missing images', async () => {
    const cache = aCache(1);
    for (let n = 0; n < 300; n += 1) {
      await cache.keep(`https://a.example/gone/${n}`, NoImage.Unreached);
      clock.advance(1);
    }

    const files = names().filter((name) => /[0-9a-f]{64}$/.test(name));
    expect(files.length).toBeLessThanOrEqual(245);
    expect(await cache.find('https://a.example/gone/0')).toBeUndefined();
    expect(await cache.find('https://a.example/gone/299')).toBe('none');
  });

  it.each([
    ['its site did not give it', NoImage.Unreached, 10 * 60],
    ['it cannot be converted', NoImage.Unreadable, 24 * 60 * 60],
  ])('remembers for a while that an image is missing: %s', async (_, why, seconds) => {
    const cache = aCache(1);
    await cache.keep('https://a.example/gone', why);

    clock.advance(seconds - 1);
    expect(await cache.find('https://a.example/gone')).toBe('none');
    clock.advance(2);
    expect(await cache.find('https://a.example/gone')).toBeUndefined();
  });

  it('does not remember a missing image from a time when the clock was ahead', async () => {
    const cache = aCache(1);
    clock.advance(24 * 60 * 60);
    await cache.keep('https://a.example/gone', NoImage.Unreached);
    clock.advance(-24 * 60 * 60);

    expect(await cache.find('https://a.example/gone')).toBeUndefined();
  });

  it('leaves no file behind if a picture cannot be stored', async () => {
    const cache = aCache(1);
    await cache.keep('https://a.example/1', Buffer.from('picture'));
    const [stored = ''] = names().filter((name) => /[0-9a-f]{64}$/.test(name));
    rmSync(join(folder, stored));
    // A folder in its place makes the next attempt fail.
    mkdirSync(join(folder, stored, 'full'), { recursive: true });
    const before = names();

    await cache.keep('https://a.example/1', Buffer.from('picture'));

    expect(names()).toEqual(before);
  });

  it('stores nothing if its size limit is zero', async () => {
    const cache = aCache(0);
    await cache.keep('https://a.example/1', Buffer.from('picture'));

    expect(await cache.find('https://a.example/1')).toBeUndefined();
    expect(names().filter((name) => name.startsWith('images'))).toEqual([]);
  });
});
