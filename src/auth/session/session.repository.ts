import { In, Not, Raw, Repository } from 'typeorm';

import type { TokenSubject } from '../access-tokens.js';
import { type Session } from '../entities/session.entity.js';

/** What a cookie says: whose session it is, and which. */
export interface SessionSubject extends TokenSubject {
  /** The hash of the id in the cookie. */
  readonly sessionId: Buffer;
}

/** A program that logs in anew each time, and keeps no cookie, would fill the list of its user. */
const MOST_OF_A_USER = 100;
const TOUCHED_EVERY_MINUTES = 5;
/** A cookie is renewed when its content changes, up to that long after the use that was written last. */
const LEEWAY_SECONDS = 3600;

/** The sessions of all users. */
export class SessionRepository extends Repository<Session> {
  /** With its user, while the account is enabled and nothing has ended the session. */
  async findLive({
    sessionId: id,
    userId,
    tokenVersion,
  }: SessionSubject): Promise<Session | undefined> {
    // `findOne` would make two statements of the join.
    const [session] = await this.find({
      where: { id, userId, user: { tokenVersion } },
      relations: { user: true },
    });
    return session?.user.disabledAt === null ? session : undefined;
  }

  /** The caller has locked the user. */
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

  /** Of many requests at once one writes. */
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

  /** Forgets the sessions whose cookies have expired. */
  async sweep(ttlSeconds: number): Promise<void> {
    await this.delete({
      lastUsedAt: Raw((column) => `${column} < now() - make_interval(secs => :seconds)`, {
        seconds: ttlSeconds + LEEWAY_SECONDS,
      }),
    });
  }
}
