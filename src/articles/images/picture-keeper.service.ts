import { once } from 'node:events';

import { Injectable, Logger } from '@nestjs/common';

import { Config } from '../../platform/config/config.js';
import { Database } from '../../platform/database/database.js';
import { Metric, type Sample } from '../../platform/metrics/metric.js';
import { Tally } from '../../platform/metrics/tally.js';
import type { DeviceImage } from './conversion-process.js';
import { ImagesService } from './images.service.js';
import { type PictureClaim, PictureRepository } from './picture.repository.js';
import { MAX_ATTEMPTS } from './picture.sql.js';
import { PictureFollower } from './picture-follower.service.js';
import { PictureTurns } from './picture-turns.js';

const MEGABYTE = 1_000_000;

/** Stores the pictures of articles in the database, so that articles stay whole when their sites are gone. */
@Injectable()
export class PictureKeeper {
  private readonly logger = new Logger(PictureKeeper.name);
  private readonly results = new Tally(['stored', 'postponed', 'given-up']);
  private readonly limit: number;
  /** The size of all stored pictures. Other instances add pictures too, so it is an estimate until the next sweep. */
  private bytes: number | undefined;
  private isFull = false;
  private readonly turns: PictureTurns;

  constructor(
    private readonly database: Database,
    private readonly follower: PictureFollower,
    private readonly images: ImagesService,
    private readonly config: Config,
  ) {
    this.limit = config.keptPicturesMegabytes * MEGABYTE;
    this.turns = new PictureTurns(database);
  }

  /**
   * Queues and counts some pictures of a user with new articles, even if the stored pictures have reached their size
   * limit. Returns false if there are none.
   */
  listNext(): Promise<boolean> {
    return this.follower.followNext();
  }

  /**
   * Fetches and stores the next picture. Returns false if no picture is due, or if the stored pictures have reached
   * their size limit.
   */
  async keepNext(signal: AbortSignal): Promise<boolean> {
    if (await this.hasNoRoom()) {
      return false;
    }
    const claim = await this.turns.claim();
    if (claim !== undefined && !(await this.write((pictures) => pictures.parkIfUnwanted(claim)))) {
      await this.keep(claim, signal);
    }
    return claim !== undefined;
  }

  /**
   * Deletes the pictures that are in no page any more, and measures the others. If the service keeps no new pictures,
   * empties the queue. Ends early if the signal is aborted.
   */
  async sweep(signal: AbortSignal): Promise<void> {
    while (!this.config.keepsPictures && !signal.aborted && (await this.forgetQueued())) {
      // Each call deletes some queued pictures.
    }
    await this.follower.review(signal);
    const pictures = PictureRepository.in(this.database.manager);
    let bytes = 0;
    let checked = await pictures.checkNext('0');
    for (; checked !== undefined && !signal.aborted;) {
      bytes += checked.bytes;
      await this.deleteUnused(checked.unused);
      checked = await pictures.checkNext(checked.last);
    }
    if (!signal.aborted) {
      this.bytes = bytes;
    }
  }

  @Metric({
    name: 'satchel_kept_pictures_total',
    help: 'Ended attempts to fetch a picture and store it with its articles, by result.',
    kind: 'counter',
    labels: ['result'],
  })
  attempts(): readonly Sample[] {
    return this.results.samples('result');
  }

  @Metric({
    name: 'satchel_kept_pictures_bytes',
    help: 'Size of all pictures that are stored with articles, at the last measurement.',
    kind: 'gauge',
    aggregator: 'max',
  })
  storedBytes(): readonly Sample[] {
    return this.bytes === undefined ? [] : [{ value: this.bytes }];
  }

  @Metric({
    name: 'satchel_kept_pictures_limit_bytes',
    help: 'Limit for the size of all pictures that are stored with articles. Missing if none are stored.',
    kind: 'gauge',
    aggregator: 'max',
  })
  limitBytes(): readonly Sample[] {
    return this.config.keepsPictures ? [{ value: this.limit }] : [];
  }

  private async hasNoRoom(): Promise<boolean> {
    this.bytes ??= await this.measured();
    const isFull = this.bytes >= this.limit;
    if (isFull && !this.isFull) {
      this.logger.warn('new pictures are not stored: raise KEEP_PICTURES_MAX_MB');
    }
    this.isFull = isFull;
    return isFull;
  }

  private measured(): Promise<number> {
    return this.write((pictures) => pictures.measure());
  }

  private async keep(claim: PictureClaim, signal: AbortSignal): Promise<void> {
    const image = await this.imageOf(claim, signal);
    if (image !== undefined) {
      await this.store(claim, image.bytes);
    } else if (signal.aborted) {
      await this.write((pictures) => pictures.release(claim));
    } else {
      const isGivenUp = await this.write((pictures) => pictures.postpone(claim));
      this.results.add(isGivenUp ? 'given-up' : 'postponed');
    }
  }

  private async store(claim: PictureClaim, image: Buffer): Promise<void> {
    const users = await this.write((pictures) => pictures.store(claim, image));
    if (users !== undefined) {
      this.bytes = (this.bytes ?? 0) + image.length;
      this.results.add('stored');
      await this.follower.countFor(users);
    }
  }

  /**
   * Returns undefined if the picture cannot be fetched or converted, or if the signal is aborted. An internal error
   * counts as a failed attempt, so that it does not block the queue.
   */
  private async imageOf(
    { url, attempts }: PictureClaim,
    signal: AbortSignal,
  ): Promise<DeviceImage | undefined> {
    if (attempts > MAX_ATTEMPTS) {
      // The process has crashed during the last allowed attempt.
      return undefined;
    }
    try {
      return await untilAborted(this.images.findToKeep(url), signal);
    } catch (error) {
      this.logger.error(error);
      return undefined;
    }
  }

  private forgetQueued(): Promise<boolean> {
    return this.write((pictures) => pictures.forgetQueued());
  }

  private async deleteUnused(pictureIds: readonly string[]): Promise<void> {
    if (pictureIds.length > 0 && (await this.follower.noteDeletion(pictureIds))) {
      await this.write((pictures) => pictures.deleteUnused(pictureIds));
    }
  }

  private write<T>(work: (pictures: PictureRepository) => Promise<T>): Promise<T> {
    return this.database.transaction((manager) => work(PictureRepository.in(manager)));
  }
}

/** Returns the result of the work, or undefined as soon as the signal is aborted. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const settled = new AbortController();
  const aborted = once(signal, 'abort', { signal: settled.signal }).then(() => undefined);
  try {
    return signal.aborted ? undefined : await Promise.race([work, aborted]);
  } finally {
    settled.abort();
    // Ignores errors of `aborted` and `work` that occur after this function has returned.
    aborted.catch(() => undefined);
    work.catch(() => undefined);
  }
}
