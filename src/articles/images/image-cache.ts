import { hash, randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { makeDirectory } from '../../lib/util/make-directory.js';
import { Clock } from '../../platform/common/clock.js';
import { Config } from '../../platform/config/config.js';
import { CACHE_LOOKUPS, cacheTally } from '../../platform/metrics/cache-lookups.js';
import { Metric, type Sample } from '../../platform/metrics/metric.js';
import { Tally } from '../../platform/metrics/tally.js';

const FOLDER = 'images';
const MEGABYTE = 1_000_000;
/** The share of the size limit that is freed when the cache is full. */
const CLEARED_SHARE = 0.2;
const MINUTE_MS = 60_000;
/**
 * The disk space in bytes that even the smallest file uses. The entry for a missing picture also
 * uses this space.
 */
const BLOCK = 4096;

/**
 * The reason why a picture is missing. For a missing picture, the cache stores a file of 0 or 1
 * bytes, and the size of the file is the reason.
 */
export enum NoImage {
  /** The picture could not be fetched. A later attempt may succeed. */
  Unreached = 0,
  /** The picture cannot be converted, so further attempts would only waste seconds. */
  Unreadable = 1,
}

/** The time in milliseconds after which a missing picture is fetched again. */
const FAILURE_TTL_MS = {
  [NoImage.Unreached]: 10 * MINUTE_MS,
  [NoImage.Unreadable]: 24 * 60 * MINUTE_MS,
} as const;

interface KeptFile {
  readonly path: string;
  readonly size: number;
  readonly usedAtMs: number;
}

/**
 * Stores converted pictures in files of the data directory, keyed by their original addresses. Deletes the least
 * recently used pictures first.
 */
@Injectable()
export class ImageCache {
  private readonly lookups = cacheTally();
  private readonly writes = new Tally(['stored', 'failed']);
  private readonly folder: string;
  private readonly limit: number;
  /**
   * `used` is the size of the cache when its folder was last scanned. `written` is the number of bytes that this
   * process has added since the scan. The sum is only an estimate, because other processes write to the cache too.
   */
  private used: number | undefined;
  private written = 0;

  constructor(
    config: Config,
    private readonly clock: Clock,
  ) {
    this.folder = join(config.dataDirectory, FOLDER);
    this.limit = config.imageCacheMegabytes * MEGABYTE;
  }

  /**
   * Returns the cached picture. Returns `none` if the last attempt to fetch or convert the picture failed. Returns
   * undefined if the cache has no current entry for the picture.
   */
  async find(src: string): Promise<Buffer | 'none' | undefined> {
    const found = await this.read(src);
    this.lookups.add(found === undefined ? 'miss' : 'hit');
    return found;
  }

  @Metric(CACHE_LOOKUPS)
  lookupCounts(): readonly Sample[] {
    return this.lookups.samples('result', { cache: 'images' });
  }

  @Metric({
    name: 'satchel_image_cache_writes_total',
    help: 'Attempts to store a picture in DATA_DIR, by result.',
    kind: 'counter',
    labels: ['result'],
  })
  writeCounts(): readonly Sample[] {
    return this.writes.samples('result');
  }

  private async read(src: string): Promise<Buffer | 'none' | undefined> {
    const path = this.pathOf(src);
    try {
      const [bytes, { mtimeMs }] = await Promise.all([readFile(path), stat(path)]);
      const now = this.clock.now();
      if (isNoImage(bytes.length)) {
        // A time in the future was stored while the clock was ahead.
        return Math.abs(now.getTime() - mtimeMs) < FAILURE_TTL_MS[bytes.length]
          ? 'none'
          : undefined;
      }
      await utimes(path, now, now);
      return bytes;
    } catch {
      return undefined;
    }
  }

  /** Stores a picture, or the reason why it is missing. Ignores errors of the disk. */
  async keep(src: string, image: Buffer | NoImage): Promise<void> {
    if (this.limit === 0) {
      return;
    }
    try {
      await this.write(this.pathOf(src), Buffer.isBuffer(image) ? image : Buffer.alloc(image));
      this.writes.add('stored');
    } catch {
      this.writes.add('failed');
      return;
    }
  }

  private async write(path: string, bytes: Buffer): Promise<void> {
    const draft = `${path}.${randomBytes(6).toString('hex')}`;
    makeDirectory(dirname(path));
    const now = this.clock.now();
    try {
      await writeFile(draft, bytes);
      await utimes(draft, now, now);
      await rename(draft, path);
    } catch (error) {
      // On a full disk, an empty file remains.
      await rm(draft, { force: true });
      throw error;
    }
    this.written += roomFor(bytes.length);
    if (this.used === undefined || this.written > this.limit * CLEARED_SHARE) {
      this.used = this.sizeOf(await this.files());
      this.written = 0;
    }
    if (this.used + this.written > this.limit) {
      await this.clear();
    }
  }

  private async clear(): Promise<void> {
    const files = (await this.files()).toSorted((one, other) => one.usedAtMs - other.usedAtMs);
    let used = this.sizeOf(files);
    for (const { path, size } of files) {
      if (used <= this.limit * (1 - CLEARED_SHARE)) {
        break;
      }
      await rm(path, { force: true });
      used -= size;
    }
    this.used = used;
    this.written = 0;
  }

  private sizeOf(files: readonly KeptFile[]): number {
    return files.reduce((sum, { size }) => sum + size, 0);
  }

  private async files(): Promise<KeptFile[]> {
    const entries = await readdir(this.folder, { recursive: true, withFileTypes: true });
    const found = entries
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }): Promise<KeptFile[]> => {
        const path = join(parentPath, name);
        const file = await stat(path).catch(() => undefined);
        return file === undefined
          ? []
          : [{ path, size: roomFor(file.size), usedAtMs: file.mtimeMs }];
      });
    return (await Promise.all(found)).flat();
  }

  private pathOf(src: string): string {
    const name = hash('sha256', src);
    return join(this.folder, name.slice(0, 2), name);
  }
}

const isNoImage = (length: number): length is NoImage => length in FAILURE_TTL_MS;

const roomFor = (bytes: number): number => Math.max(bytes, BLOCK);
