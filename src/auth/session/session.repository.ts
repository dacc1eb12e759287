import { In, Not, Raw, Repository } from 'typeorm';

import type { TokenSubject } from '../access-tokens.js';
import { type Session } from '../entities/session.entity.js';

/** The contents of a cookie: the session and its user. */
export interface SessionSubject extends TokenSubject {
  /** The hash of the id in the cookie. */
  readonly sessionId: Buffer;
}

/**
 * Maximum number of sessions per user. A program that logs in again each time, without a cookie, would otherwise fill
 * the list.
 */
const MOST_OF_A_USER = 100;
const TOUCHED_EVERY_MINUTES = 5;
/**
 * Rows outlive their cookies by this time. A changed cookie is renewed up to this long after the last use that was
 * stored.
 */
const LEEWAY_SECONDS = 3600;

export class SessionRepository extends Repository<Session> {
  /** Returns the session with its user, if the account is enabled and nothing has ended the session. */
  async findLive({
    sessionId: id,
    userId,
    tokenVersion,
  }: SessionSubject): Promise<Session | undefined> {
    // `findOne` would run two statements for the join.
    const [session] = await this.find({
      where: { id, userId, user: { tokenVersion } },
      relations: { user: true },
    });
    return session?.user.disabledAt === null ? session : undefined;
  }

  /** Adds a session, and deletes the least recently used ones beyond the limit. The caller has locked the user. */
  async add(session: Pick<Session, 'id' | 'userId' | 'device' | 'address'>): Promise<void> {
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

  /** Stores the last use. Only one of many parallel requests writes. */
  async touch(id: Buffer, address: string): Promise<void> {
    const lastUsedAt = Raw(
      (column) => `${column} < now() - interval '${TOUCHED_EVERY_MINUTES} minutes'`,
    );
    await this.update({ id, lastUsedAt }, { lastUsedAt: () => 'now()', address });
  }

  isDue({ lastUsedAt }: Session, now: Date): boolean {
    return now.getTime() - lastUsedAt.getTime() > TOUCHED_EVERY_MINUTES * 60_000;
  }

  latestFirst(userId: string): Promise<Session[]> {
    return this.find({ where: { userId }, order: { lastUsedAt: 'DESC', createdAt: 'DESC' } });
  }

  async endOthers(userId: string, id: Buffer): Promise<void> {
    await this.delete({ userId, id: Not(id) });
  }

  /** Deletes the sessions whose cookies have expired. */
  async sweep(ttlSeconds: number): Promise<void> {
    await this.delete({
      lastUsedAt: Raw((column) => `${column} < now() - make_interval(secs => :seconds)`, {
        seconds: ttlSeconds + LEEWAY_SECONDS,
      }),
    });
  }
}
