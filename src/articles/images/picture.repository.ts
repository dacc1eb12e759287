import { CustomRepository } from '../../platform/database/custom-repository.js';
import { allowLongStatements, queryRows } from '../../platform/database/query-rows.js';
import { normalAddress } from '../../reading-list/list/address.js';
import { SERIALISE_CLAIMS } from '../resolver/resolution.sql.js';
import { type DeviceImage, typeFrom } from './conversion-process.js';
import { Picture } from './picture.entity.js';
import {
  ADD_PICTURES,
  CHECK_NEXT,
  CLAIM_PICTURE,
  DELETE_UNUSED,
  FIND_IMAGE,
  FIND_QUEUED,
  FIND_STORED,
  LINK_PAGES,
  LOCK_UNLISTED,
  LOCK_UNUSED,
  MARK_LISTED,
  MEASURE_PICTURES,
  POSTPONE_PICTURE,
  RELEASE_PICTURE,
  STORE_IMAGE,
  UNLINK_PAGES,
  UNLINK_PICTURES,
  UNLINK_TRASHED,
  UNLIST_PAGES,
} from './picture.sql.js';
import { PictureShareRepository } from './picture-share.repository.js';
import {
  CLAIM_OF_USER,
  LOCK_PICTURE,
  NEXT_WAITING_USER,
  PARK_UNWANTED,
} from './picture-share.sql.js';

/** A picture that this instance has leased to fetch it. */
export interface PictureClaim {
  readonly pictureId: string;
  readonly url: string;
  /** The number of attempts to fetch the picture, including the current attempt. */
  readonly attempts: number;
}

/** A picture that is stored with its articles, without its image. */
export interface StoredPicture {
  readonly pictureId: string;
  readonly type: DeviceImage['type'];
}

interface StoredRow {
  readonly pictureId: string;
  readonly url: string;
  readonly firstByte: number;
}

/** A page with the addresses of its pictures. */
interface PageSources {
  readonly pageId: string;
  readonly sources: readonly string[];
}

interface UnlistedPage {
  readonly pageId: string;
  readonly images: readonly { readonly src: string }[] | null;
  readonly topImageUrl: string | null;
}

/** Pictures that one step of a sweep has checked. */
interface CheckedPictures {
  /** The id of the last checked picture. */
  readonly last: string;
  /** The ids of the pictures that are in no page. */
  readonly unused: readonly string[];
  /** The size of the other pictures in bytes. */
  readonly bytes: number;
}

interface Checked extends Omit<CheckedPictures, 'last'> {
  readonly last: string | null;
}

type Deleted = Pick<PictureClaim, 'pictureId'>;

const WEB_ADDRESS = /^https?:\/\//i;
/** The time limit in seconds for statements that read all pictures. */
const LONGEST_SCAN_SECONDS = 600;

/** The pictures that are stored with pages (docs/decisions/0139). */
export class PictureRepository extends CustomRepository<Picture> {
  static readonly entity = Picture;

  /** Returns the stored picture of an address. Returns undefined if it is not stored. */
  async findImage(url: string): Promise<Buffer | undefined> {
    if (!WEB_ADDRESS.test(url)) {
      return undefined;
    }
    const [row] = await queryRows<{ image: Buffer }>(this.manager, FIND_IMAGE, [url]);
    return row?.image;
  }

  /** Returns the stored pictures of these addresses, keyed by address. */
  async findStored(urls: readonly string[]): Promise<ReadonlyMap<string, StoredPicture>> {
    const wanted = urls.filter((url) => WEB_ADDRESS.test(url));
    if (wanted.length === 0) {
      return new Map();
    }
    const found = await queryRows<StoredRow>(this.manager, FIND_STORED, [wanted]);
    return new Map(
      found.map(({ url, pictureId, firstByte }) => [url, { pictureId, type: typeFrom(firstByte) }]),
    );
  }

  /** Returns the image of a stored picture. Returns undefined if the picture was deleted. */
  async imageOf(pictureId: string): Promise<Buffer | undefined> {
    const select = { pictureId: true, image: true } as const;
    return (await this.findOne({ select, where: { pictureId } }))?.image ?? undefined;
  }

  /** Lists the pictures of those pages that were fetched since their pictures were listed. Requires a transaction. */
  async list(listed: readonly string[]): Promise<void> {
    const unlisted = await queryRows<UnlistedPage>(this.manager, LOCK_UNLISTED, [listed]);
    if (unlisted.length === 0) {
      return;
    }
    const pages = unlisted.map(sourcesOf);
    const ids = await this.add(new Set(pages.flatMap(({ sources }) => sources)));
    const links = pages.flatMap(({ pageId, sources }) =>
      sources.flatMap((src) => {
        const pictureId = ids.get(src);
        return pictureId === undefined ? [] : [{ pageId, pictureId }];
      }),
    );
    const pageIds = pages.map(({ pageId }) => pageId);
    await queryRows(this.manager, UNLINK_PAGES, [pageIds]);
    await queryRows(this.manager, LINK_PAGES, [
      links.map(({ pageId }) => pageId),
      links.map(({ pictureId }) => pictureId),
    ]);
    await queryRows(this.manager, MARK_LISTED, [pageIds]);
  }

  /** Leases the next picture of the queue. Requires a transaction. */
  async claim(): Promise<PictureClaim | undefined> {
    await queryRows(this.manager, SERIALISE_CLAIMS);
    const [claim] = await queryRows<PictureClaim>(this.manager, CLAIM_PICTURE);
    return claim;
  }

  /** Leases one of the newest pictures that a user waits for. Requires a transaction. */
  async claimOf(userId: string): Promise<PictureClaim | undefined> {
    await queryRows(this.manager, SERIALISE_CLAIMS);
    const [claim] = await queryRows<PictureClaim>(this.manager, CLAIM_OF_USER, [userId]);
    return claim;
  }

  /** Returns the next user after `after` who waits for pictures. */
  async nextWaitingUser(after: string): Promise<string | undefined> {
    const [row] = await queryRows<{ userId: string }>(this.manager, NEXT_WAITING_USER, [after]);
    return row?.userId;
  }

  /** Removes a picture from the queue if no user with room for pictures wants it. Requires a transaction. */
  async parkIfUnwanted({ pictureId }: PictureClaim): Promise<boolean> {
    await queryRows(this.manager, LOCK_PICTURE, [pictureId]);
    return (await queryRows(this.manager, PARK_UNWANTED, [pictureId])).length > 0;
  }

  /**
   * Stores a picture, and its size for the users who want it. Returns these users, or undefined if the picture was
   * deleted, or if another instance has stored it. Requires a transaction.
   */
  async store({ pictureId }: PictureClaim, image: Buffer): Promise<string[] | undefined> {
    const stored = await queryRows(this.manager, STORE_IMAGE, [pictureId, image]);
    return stored.length > 0
      ? PictureShareRepository.in(this.manager).recordSize(pictureId, image.length)
      : undefined;
  }

  /**
   * Schedules another attempt, or gives the picture up. Returns true if the picture was given up. Requires a transaction.
   */
  async postpone({ pictureId }: PictureClaim): Promise<boolean> {
    const [row] = await queryRows<{ isGivenUp: boolean }>(this.manager, POSTPONE_PICTURE, [
      pictureId,
    ]);
    if (row?.isGivenUp === true) {
      await PictureShareRepository.in(this.manager).forgetWanted(pictureId);
    }
    return row?.isGivenUp === true;
  }

  /** Releases the lease of a picture whose fetch was aborted. */
  async release({ pictureId }: PictureClaim): Promise<void> {
    await queryRows(this.manager, RELEASE_PICTURE, [pictureId]);
  }

  /** Checks the next pictures of a sweep. Returns undefined if there are no more. */
  async checkNext(after: string): Promise<CheckedPictures | undefined> {
    const [checked] = await queryRows<Checked>(this.manager, CHECK_NEXT, [after]);
    const last = checked?.last ?? undefined;
    return checked && last !== undefined ? { ...checked, last } : undefined;
  }

  /** Deletes those of the pictures that are still in no page. Requires a transaction. */
  async deleteUnused(pictureIds: readonly string[]): Promise<void> {
    const locked = await queryRows<Deleted>(this.manager, LOCK_UNUSED, [pictureIds]);
    await queryRows(this.manager, DELETE_UNUSED, [locked.map(({ pictureId }) => pictureId)]);
  }

  /**
   * Deletes some queued pictures. Their pages are listed again if the setting is turned on again. Changes the trash and
   * the pages first, in the same order as the deletion of an item, to avoid deadlocks. Returns false if the queue is
   * empty. Requires a transaction.
   */
  async forgetQueued(): Promise<boolean> {
    const queued = await queryRows<Deleted>(this.manager, FIND_QUEUED);
    const pictureIds = queued.map(({ pictureId }) => pictureId);
    await queryRows(this.manager, UNLINK_TRASHED, [pictureIds]);
    await queryRows(this.manager, UNLIST_PAGES, [pictureIds]);
    await queryRows(this.manager, UNLINK_PICTURES, [pictureIds]);
    await this.deleteUnused(pictureIds);
    return pictureIds.length > 0;
  }

  /** Returns the size of all stored pictures in bytes. Requires a transaction. */
  async measure(): Promise<number> {
    await allowLongStatements(this.manager, LONGEST_SCAN_SECONDS);
    const [row] = await queryRows<{ bytes: number }>(this.manager, MEASURE_PICTURES);
    return row?.bytes ?? 0;
  }

  /** Returns the ids of the pictures, keyed by address. Addresses that cannot be fetched have no picture. */
  private async add(sources: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
    const wanted = [...sources].flatMap((url) => {
      const host = normalAddress(url)?.domain;
      return host === undefined ? [] : [{ url, host }];
    });
    const added = await queryRows<Deleted & { url: string }>(this.manager, ADD_PICTURES, [
      wanted.map(({ url }) => url),
      wanted.map(({ host }) => host),
    ]);
    return new Map(added.map(({ url, pictureId }) => [url, pictureId]));
  }
}

/** Returns the pictures that a page shows, and the picture that lists show for it. */
function sourcesOf({ pageId, images, topImageUrl }: UnlistedPage): PageSources {
  const all = [topImageUrl ?? '', ...(images ?? []).map(({ src }) => src)];
  return { pageId, sources: [...new Set(all)].filter((src) => WEB_ADDRESS.test(src)) };
}
