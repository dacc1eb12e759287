import type { EntityManager } from 'typeorm';

import { run } from '../../database/statements.js';
import type { NotedCursor, PageCursor, Readers } from './page-cursor.js';

/** Whose list is asked for what: everything of a call of get but the page. */
export interface Question {
  readonly userId: string;
  readonly hash: Buffer;
}

/** A cursor and the question that it belongs to. */
export interface CursorOf extends PageCursor {
  readonly question: Question;
}

/** A cursor that is used up; `since` and `total` are those of the page behind it. */
export interface UsedCursor extends Omit<CursorOf, 'position' | 'readers'> {
  readonly wasLastPage: boolean;
}

/** A client has ten minutes from page to page, and its cursor may be up to a minute older than its page. */
const LIFETIME = `interval '11 minutes'`;
/** More than several clients at once have, and nothing that a table notices. */
const MOST_OF_A_USER = 200;

const FIND = `
  SELECT page_offset::float8 AS offset, version::float8, position, since::float8, total, readers,
    extract(epoch FROM noted_at)::float8 AS noted_at
  FROM page_cursors
  WHERE user_id = $1 AND question = $2 AND page_offset <= $3 AND noted_at > now() - ${LIFETIME}`;

/** Where clients wait at a cursor that another one reaches, it stands for both. */
const NOTE = `
  INSERT INTO page_cursors AS known
    (user_id, question, page_offset, version, position, since, total, readers, noted_at)
  SELECT *, now() FROM unnest($1::bigint[], $2::bytea[], $3::bigint[], $4::bigint[], $5::bytea[], $6::bigint[],
    $7::int[], $8::smallint[])
  ORDER BY 1, 2, 3, 4
  ON CONFLICT (user_id, question, page_offset, version) DO UPDATE SET
    (position, since, total, readers, noted_at) = (
      SELECT CASE WHEN before.readers >= 0 THEN least(known.position, excluded.position) ELSE excluded.position END,
        CASE WHEN before.readers >= 0 THEN least(known.since, excluded.since) ELSE excluded.since END,
        CASE WHEN before.readers >= 0 THEN greatest(known.total, excluded.total) ELSE excluded.total END,
        CASE WHEN before.readers > 0 THEN 2 ELSE excluded.readers END,
        now()
      FROM (SELECT CASE WHEN known.noted_at > now() - ${LIFETIME} THEN known.readers ELSE -1 END) AS before (readers))
  RETURNING user_id, question, page_offset::float8 AS offset, version::float8, readers`;

/**
 * The clients that still wait may be the one whose page had the lowest `since`. Of one reading, the cursors before
 * this one are of no use any more once they were used: the client has their pages.
 */
const USE = `
  WITH earlier AS (DELETE FROM page_cursors
    WHERE user_id = $1 AND question = $2 AND page_offset < $3 AND version = $4 AND readers <= 0)
  UPDATE page_cursors SET since = least(since, $5), total = greatest(total, $6),
    readers = CASE WHEN version = $4 AND readers = 1 THEN $7 ELSE readers END,
    noted_at = CASE WHEN version = $4 THEN now() ELSE noted_at END
  WHERE user_id = $1 AND question = $2 AND page_offset = $3 AND readers >= 0`;

const TRIM = `
  DELETE FROM page_cursors WHERE user_id = $1 AND noted_at <
    (SELECT noted_at FROM page_cursors WHERE user_id = $1 ORDER BY noted_at DESC OFFSET ${MOST_OF_A_USER} LIMIT 1)`;

const SWEEP = `DELETE FROM page_cursors WHERE noted_at < now() - ${LIFETIME}`;

/** How many clients wait at a cursor that was noted. */
export interface Noted {
  readonly user_id: string;
  readonly question: Buffer;
  readonly offset: number;
  readonly version: number;
  readonly readers: Readers;
}

/** The cursors of all instances. */
export class PageCursorStore {
  constructor(private readonly manager: EntityManager) {}

  /** Those at the offset and before it. */
  find({ userId, hash }: Question, offset: number): Promise<NotedCursor[]> {
    return run<NotedCursor & Record<string, unknown>>(this.manager, {
      text: FIND,
      values: [userId, hash, offset],
    });
  }

  /** No two of them may be at the same place. */
  note(cursors: readonly CursorOf[]): Promise<Noted[]> {
    const values = [
      cursors.map(({ question }) => question.userId),
      cursors.map(({ question }) => question.hash),
      cursors.map(({ offset }) => offset),
      cursors.map(({ version }) => version),
      cursors.map(({ position }) => position),
      cursors.map(({ since }) => since),
      cursors.map(({ total }) => total),
      cursors.map(({ readers }) => readers),
    ];
    return run<Noted & Record<string, unknown>>(this.manager, { text: NOTE, values });
  }

  /** One client less waits at this offset: the cursor of this version is used up. */
  async use(used: UsedCursor): Promise<void> {
    const { question, offset, version, since, total, wasLastPage } = used;
    const { userId, hash } = question;
    const readers: Readers = wasLastPage ? -1 : 0;
    await run(this.manager, {
      text: USE,
      values: [userId, hash, offset, version, since, total, readers],
    });
  }

  /** Forgets the oldest cursors of a user who has very many. */
  async trim(userId: string): Promise<void> {
    await run(this.manager, { text: TRIM, values: [userId] });
  }

  async sweep(): Promise<void> {
    await run(this.manager, { text: SWEEP, values: [] });
  }
}
