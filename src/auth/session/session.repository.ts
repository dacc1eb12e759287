import { In, Not, Raw } from 'typeorm';

import type { SessionLimits } from '../../platform/config/session-settings.js';
import { CustomRepository } from '../../platform/database/custom-repository.js';
import { deleteInBatches } from '../../platform/database/delete-in-batches.js';
import type { TokenSubject } from '../access-tokens.js';
import { Session } from '../entities/session.entity.js';

/** The session and the user that a session cookie identifies. */
export interface SessionSubject extends TokenSubject {
  /** The hash of the session id in the cookie. */
  readonly sessionId: Buffer;
}

/**
 * The maximum number of sessions per user. Some programs log in for every request and would create any number of
 * sessions.
 */
const MOST_OF_A_USER = 100;
const TOUCHED_EVERY_MINUTES = 5;
/**
 * The time in seconds between the computed expiry of a session and the deletion of its row. The
 * cookie may live a few minutes longer than computed, because `lastUsedAt` is not updated at every
 * use.
 */
const LEEWAY_SECONDS = 3600;

export class SessionRepository extends CustomRepository<Session> {
  static readonly entity = Session;

  /** Returns the session with its user. Returns undefined if the session was ended or the account is disabled. */
  async findLive({
    sessionId: id,
    userId,
    tokenVersion,
  }: SessionSubject): Promise<Session | undefined> {
    // Uses `find`, because TypeORM's `findOne` would run two statements for a query with a join.
    const [session] = await this.find({
      where: { id, userId, user: { tokenVersion } },
      relations: { user: true },
    });
    return session?.user.disabledAt === null ? session : undefined;
  }

  /**
   * Adds a session. If the user then has too many sessions, deletes the least recently used ones.
   * The caller must have locked the user.
   */
  async add(
    session: Pick<
      Session,
      'id' | 'userId' | 'device' | 'address' | 'provenAt' | 'hasSecondFactor'
    > &
      Partial<Pick<Session, 'createdAt'>>,
  ): Promise<void> {
    const { userId } = session;
    const superfluous = await this.find({
      select: { id: true },
      where: { userId },
      order: { lastUsedAt: 'DESC' },
      skip: MOST_OF_A_USER - 1,
    });
    if (superfluous.length > 0) {
      await this.delete({ id: In(superfluous.map(({ id }) => id)) });
    }
    await this.insert(session);
  }

  /**
   * Stores the time and the network address of the last use. Only the first of several simultaneous
   * calls changes the row.
   */
  async touch(id: Buffer, address: string): Promise<void> {
    const lastUsedAt = Raw(
      (column) => `${column} < now() - interval '${TOUCHED_EVERY_MINUTES} minutes'`,
    );
    await this.update({ id, lastUsedAt }, { lastUsedAt: () => 'now()', address });
  }

  isDue({ lastUsedAt }: Session, now: Date): boolean {
    return now.getTime() - lastUsedAt.getTime() > TOUCHED_EVERY_MINUTES * 60_000;
  }

  /** Returns true if the session has reached a limit, although its cookie is still valid. */
  isOver({ createdAt, lastUsedAt }: Session, now: Date, limits: SessionLimits): boolean {
    const hasReached = (begin: Date, seconds: number): boolean =>
      now.getTime() - begin.getTime() >= seconds * 1000;
    return (
      hasReached(lastUsedAt, limits.idleSeconds) || hasReached(createdAt, limits.absoluteSeconds)
    );
  }

  latestFirst(userId: string): Promise<Session[]> {
    return this.find({ where: { userId }, order: { lastUsedAt: 'DESC', createdAt: 'DESC' } });
  }

  async endOthers(userId: string, id: Buffer): Promise<void> {
    await this.delete({ userId, id: Not(id) });
  }

  /** Deletes the rows of sessions whose cookies have expired. */
  async sweep(ttlSeconds: number): Promise<void> {
    await deleteInBatches(this, {
      lastUsedAt: Raw((column) => `${column} < now() - make_interval(secs => :seconds)`, {
        seconds: ttlSeconds + LEEWAY_SECONDS,
      }),
    });
  }
}
