import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ImageAddresses } from '../../src/articles/images/image-addresses.js';
import { ImageCache } from '../../src/articles/images/image-cache.js';
import { ImagesService } from '../../src/articles/images/images.service.js';
import { PictureRepository } from '../../src/articles/images/picture.repository.js';
import { PictureFollower } from '../../src/articles/images/picture-follower.service.js';
import { PictureKeeper } from '../../src/articles/images/picture-keeper.service.js';
import { PictureShareRepository } from '../../src/articles/images/picture-share.repository.js';
import { PageRepository } from '../../src/articles/resolver/page.repository.js';
import { type Config, configFrom } from '../../src/platform/config/config.js';
import { ImageFetcher } from '../../src/platform/fetching/page-fetcher.js';
import { ItemRepository } from '../../src/reading-list/list/item.repository.js';
import { ListRepository } from '../../src/reading-list/list/list.repository.js';
import { ListTransactions } from '../../src/reading-list/list-transactions.js';
import { measureStorage } from '../../src/reading-list/storage/measure-storage.js';
import { aFetcher } from './a-fetcher.js';
import { ListsOnPostgres } from './a-list.js';
import { aParsedPage } from './a-page.js';
import { ok, PublicHost } from './public-host.js';
import { resolverParts } from './resolver-parts.js';
import { TestClock } from './test-app.js';

/** The state of a picture: `null` if no attempt is planned. */
interface PictureState {
  readonly path: string;
  readonly isStored: boolean;
  readonly attempts: number;
  /** The minutes until the next attempt. */
  readonly dueIn: number | null;
}

/** The response of a site with a picture. */
export const PICTURE = ok(
  '<svg xmlns="http://www.w3.org/2000/svg" width="3" height="2"/>',
  'Content-Type: image/svg+xml',
);

/** Stored pages of a host with pictures, and the instances of the service that keep these pictures. */
export class PictureWorld {
  private readonly folder = mkdtempSync(join(tmpdir(), 'satchel-pictures-'));
  private readonly images: ImagesService[] = [];

  private constructor(
    readonly lists: ListsOnPostgres,
    readonly host: PublicHost,
  ) {}

  static async start(): Promise<PictureWorld> {
    return new PictureWorld(await ListsOnPostgres.start(), await PublicHost.start());
  }

  async stop(): Promise<void> {
    this.images.forEach((one) => {
      one.onApplicationShutdown();
    });
    await this.lists.stop();
    await this.host.stop();
    rmSync(this.folder, { recursive: true });
  }

  async clear(): Promise<void> {
    await this.lists.clear();
    await this.lists.tables.query('DELETE FROM pictures');
    this.host.answer(PICTURE);
  }

  /** Returns an instance without a cache of failures, so that each attempt requests the picture. */
  anInstance(settings: Partial<Config> = {}): PictureKeeper {
    const { database } = this.lists;
    const config = {
      ...configFrom({ DATA_DIR: this.folder }),
      ...{ imageCacheMegabytes: 0, keepsPictures: true },
      ...settings,
    };
    const pictures = PictureRepository.in(database.manager);
    const images = new ImagesService(
      PageRepository.in(database.manager),
      ItemRepository.in(database.manager),
      new ImageAddresses(config),
      new ImageFetcher(aFetcher(this.host)),
      new ImageCache(config, new TestClock()),
      pictures,
    );
    this.images.push(images);
    const transactions = new ListTransactions(
      database,
      new TestClock(),
      ListRepository.in(database.manager),
    );
    const shares = PictureShareRepository.in(database.manager);
    const follower = new PictureFollower(transactions, shares, config);
    return new PictureKeeper(database, follower, images, config);
  }

  /**
   * Stores a page with pictures of the host for a new user, as if it had been fetched again if it is known. Returns the
   * user.
   */
  async storePage(name: string, ...paths: string[]): Promise<string> {
    const user = await this.lists.aUser();
    await this.storePageOf(user, name, ...paths);
    return user;
  }

  async storePageOf(user: string, name: string, ...paths: string[]): Promise<void> {
    const { record, ...page } = aParsedPage();
    const images = paths.map((path) => this.anImage(path));
    const item = { ...record.item, topImageUrl: '', media: { ...record.item.media, images } };
    const { queue, completion, delivery } = resolverParts(this.lists.database);
    await this.lists.tables.query(`UPDATE pages SET fresh_until = NULL`);
    await this.lists.results(user, [{ action: 'add', url: `https://${name}.example` }]);
    const claim = (await queue.claim())!;
    await completion.complete(claim, { ...page, record: { ...record, item } });
    await delivery.deliverAll();
  }

  /** Saves a page that is stored and fresh, so it is not fetched again. */
  async savePageOf(user: string, name: string): Promise<void> {
    await this.lists.tables.query(`UPDATE pages SET fresh_until = now() + interval '1 day'`);
    await this.lists.results(user, [{ action: 'add', url: `https://${name}.example` }]);
    const { delivery } = resolverParts(this.lists.database);
    await delivery.deliverAll();
  }

  /** Returns the paths of the pictures that count towards the limit of a user. */
  async countedOf(user: string): Promise<string[]> {
    const rows = await this.lists.tables.query<{ path: string }>(
      `SELECT substring(url FROM '[^/]/([^/]*)$') AS path FROM picture_shares JOIN pictures USING (picture_id)
       WHERE user_id = $1 AND is_counted ORDER BY url`,
      [user],
    );
    return rows.map(({ path }) => path);
  }

  /** Returns the users whose storage has no room for more pictures. */
  async fullUsers(): Promise<string[]> {
    const rows = await this.lists.tables.query<{ id: string }>(
      'SELECT user_id AS id FROM picture_users WHERE is_full',
    );
    return rows.map(({ id }) => id);
  }

  /** Returns the counted size of a list. */
  async sizeOf(user: string): Promise<number> {
    const [row] = await this.lists.tables.query<{ bytes: number }>(
      'SELECT stored_bytes::float8 AS bytes FROM lists WHERE user_id = $1',
      [user],
    );
    return row!.bytes;
  }

  /** Measures a list, as the account page does. */
  async measure(user: string): Promise<number> {
    return this.lists.database.transaction((manager) => measureStorage(manager, user));
  }

  pass(interval: string): Promise<unknown> {
    return this.lists.tables.query(
      `UPDATE pictures SET due_at = due_at - $1::interval, leased_until = leased_until - $1::interval`,
      [interval],
    );
  }

  /** Queues pictures of a host that are in no page. They are due after an interval, the latest ones last. */
  queue(host: string, count: number, after = `'0'`): Promise<unknown> {
    return this.lists.tables.query(
      `INSERT INTO pictures (url_key, url, host, due_at)
       SELECT sha256(convert_to($1 || number, 'UTF8')), 'https://' || $1 || '/' || number, $1,
         clock_timestamp() - interval '1 minute' + interval ${after}
       FROM generate_series(1, $2) AS number`,
      [host, count],
    );
  }

  async storedBytes(): Promise<number> {
    const [row] = await this.lists.tables.query<{ bytes: number }>(
      `SELECT sum(octet_length(image))::float8 AS bytes FROM pictures`,
    );
    return row!.bytes;
  }

  pictures(): Promise<PictureState[]> {
    return this.lists.tables.query(
      `SELECT substring(url FROM '[^/]/([^/]*)$') AS path, image IS NOT NULL AS "isStored", attempts,
         round(extract(epoch FROM due_at - now()) / 60)::int AS "dueIn"
       FROM pictures ORDER BY url`,
    );
  }

  private anImage(path: string) {
    return { src: this.host.url(`/${path}`), width: 0, height: 0, credit: '', caption: '' };
  }
}
