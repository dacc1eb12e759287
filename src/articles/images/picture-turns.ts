import type { Database } from '../../platform/database/database.js';
import { type PictureClaim, PictureRepository } from './picture.repository.js';

/** The maximum number of waiting users that one turn checks for a picture that can be fetched now. */
const USERS_CHECKED = 20;
const BEGINNING = '0';

/**
 * Chooses the pictures to fetch. Every other picture is the newest one, so that a saved article does not wait for an
 * import. The others are of each waiting user in turn, so that no user waits for all pictures of another one.
 */
export class PictureTurns {
  private isTurnOfUser = false;
  private lastUser = BEGINNING;

  constructor(private readonly database: Database) {}

  /** Leases the next picture. */
  async claim(): Promise<PictureClaim | undefined> {
    this.isTurnOfUser = !this.isTurnOfUser;
    const ofUser = this.isTurnOfUser ? await this.claimOfUsers() : undefined;
    return ofUser ?? this.database.transaction((manager) => PictureRepository.in(manager).claim());
  }

  private async claimOfUsers(): Promise<PictureClaim | undefined> {
    for (let checked = 0; checked < USERS_CHECKED; checked += 1) {
      const userId = await this.nextUser();
      if (userId === undefined) {
        return undefined;
      }
      const claim = await this.database.transaction((manager) =>
        PictureRepository.in(manager).claimOf(userId),
      );
      if (claim !== undefined) {
        return claim;
      }
    }
    return undefined;
  }

  private async nextUser(): Promise<string | undefined> {
    const pictures = PictureRepository.in(this.database.manager);
    const next =
      (await pictures.nextWaitingUser(this.lastUser)) ??
      (await pictures.nextWaitingUser(BEGINNING));
    this.lastUser = next ?? BEGINNING;
    return next;
  }
}
