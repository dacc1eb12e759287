import { queueStatement } from '../../platform/jobs/queue-state.js';

/**
 * Returns an artificial word that identifies the user. It is indexed with each item of the user,
 * and is part of each search. The index then returns only items of this user.
 */
export const ownerWord = (userId: string): string => `#${userId}`;

/**
 * Queues the items with the ids $2 for indexing. This is raw SQL, because TypeORM does not support clock_timestamp() in
 * an upsert.
 */
export const MARK_DUE = `
    INSERT INTO due_texts (user_id, item_id) SELECT $1, unnest($2::bigint[])
    ON CONFLICT (user_id, item_id) DO UPDATE SET marked_at = excluded.marked_at`;

/**
 * Locks rows of the indexing queue. $1 contains user ids, and $2 the ids of their items. SKIP LOCKED skips items that
 * another process is indexing.
 */
export const LOCK_DUE = `
    SELECT user_id AS "userId", item_id AS "itemId"
    FROM due_texts JOIN unnest($1::bigint[], $2::bigint[]) AS k (user_id, item_id) USING (user_id, item_id)
    FOR UPDATE OF due_texts SKIP LOCKED`;

/**
 * Deletes rows of the indexing queue. $1 contains user ids, and $2 the ids of their items. This is raw SQL, because
 * TypeORM cannot compare pairs of ids.
 */
export const DELETE_DUE = `
    DELETE FROM due_texts d USING unnest($1::bigint[], $2::bigint[]) AS k (user_id, item_id)
    WHERE d.user_id = k.user_id AND d.item_id = k.item_id`;

const readTexts = (condition: string): string => `
    SELECT user_id AS "userId", item_id AS "itemId", given_url AS "givenUrl", given_title AS "givenTitle",
      prefers_given_title AS "prefersGivenTitle", resolved_url AS "resolvedUrl", resolved_title AS "resolvedTitle",
      excerpt, lang, resolved_id AS "pageId"
    FROM items WHERE ${condition} FOR KEY SHARE SKIP LOCKED`;

/**
 * Reads the texts of items. $1 contains user ids, and $2 the ids of their items. Skips items that another transaction is
 * deleting. Waiting for the other transaction could deadlock, because it may wait for a row of `due_texts` that this
 * transaction has locked. This is raw SQL, because TypeORM does not support SKIP LOCKED with KEY SHARE.
 */
export const READ_TEXTS = readTexts(
  '(user_id, item_id) IN (SELECT * FROM unnest($1::bigint[], $2::bigint[]))',
);

/** Like READ_TEXTS, for lists that are distributed over several servers. $1 is the id of one user. */
export const READ_TEXTS_OF_USER = readTexts('user_id = $1 AND item_id = ANY ($2::bigint[])');

/** Waits for the end of a transaction that changes the list of the user $1. */
export const AWAIT_CHANGE = `SELECT FROM lists WHERE user_id = $1 FOR SHARE`;

/** Selects from the text search configurations that PostgreSQL contains. Newer versions contain more of them. */
const FROM_CONFIGURATIONS = `FROM pg_ts_config c WHERE c.cfgnamespace = 'pg_catalog'::regnamespace`;

/**
 * Returns those of the text search configurations $1 that the database has. Statements on lists do not read
 * `pg_ts_config` themselves, because no statement reads both personal tables and other tables (docs/decisions/0082).
 */
export const CONFIGURATIONS = `SELECT c.cfgname::text AS name ${FROM_CONFIGURATIONS} AND c.cfgname = ANY ($1::text[])`;

const writeTexts = (condition = ''): string => `
    INSERT INTO item_texts (user_id, item_id, added_order, language, words)
    SELECT i.user_id, i.item_id, i.added_order, t.language, array_to_tsvector(ARRAY[t.owner])
      || setweight(to_tsvector(t.language::regconfig, t.title), 'A')
      || setweight(to_tsvector(t.language::regconfig, t.address), 'B')
      || setweight(to_tsvector(t.language::regconfig, t.excerpt), 'C') || to_tsvector(t.language::regconfig, t.body)
    FROM items i
      JOIN unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
        AS t (user_id, item_id, owner, language, title, address, excerpt, body)
        ON t.user_id = i.user_id AND t.item_id = i.item_id
    ${condition}
    ON CONFLICT (user_id, item_id) DO UPDATE
      SET added_order = excluded.added_order, language = excluded.language, words = excluded.words`;

/**
 * Stores the stemmed words of items. $1 contains user ids, and $2 the ids of their items. $3 contains the artificial
 * words that identify the owners, and $4 the text search configurations. $5 to $8 are the texts of the items, the most
 * important first.
 */
export const WRITE_TEXTS = writeTexts();

/** Like WRITE_TEXTS, for lists that are distributed over several servers. All items belong to the user $9. */
export const WRITE_TEXTS_OF_USER = writeTexts('WHERE i.user_id = $9');

/** Selects the languages of a user's texts, with one index lookup per language. */
export const LANGUAGES = `
    WITH RECURSIVE spoken AS (
      (SELECT language FROM item_texts WHERE user_id = $1 ORDER BY language LIMIT 1)
      UNION ALL
      SELECT (SELECT t.language FROM item_texts t WHERE t.user_id = $1 AND t.language > spoken.language
              ORDER BY t.language LIMIT 1)
      FROM spoken WHERE spoken.language IS NOT NULL)
    SELECT language FROM spoken WHERE language IS NOT NULL`;

/** Returns the stems of the words $1 in each language of $2. A stop word has no stem in its language. */
export const LEXEMES = `
    SELECT word, coalesce(array_agg(DISTINCT lexeme) FILTER (WHERE lexeme IS NOT NULL), '{}') AS lexemes,
      bool_or(lexeme IS NULL) AS "isStopWord"
    FROM unnest($1::text[]) word CROSS JOIN unnest($2::text[]) language
      JOIN (SELECT * ${FROM_CONFIGURATIONS}) c ON c.cfgname = language
      LEFT JOIN LATERAL unnest(tsvector_to_array(to_tsvector(c.oid::regconfig, word))) lexeme ON true
    GROUP BY word`;

/**
 * Returns the words in $1 whose stem is one of the stems in $3. $2 contains the language of each
 * word.
 */
export const MATCHING_WORDS = `
    SELECT DISTINCT word FROM unnest($1::text[], $2::text[]) AS t (word, language)
      JOIN (SELECT * ${FROM_CONFIGURATIONS}) c ON c.cfgname = language
    WHERE tsvector_to_array(to_tsvector(c.oid::regconfig, word)) && $3::text[]`;

/** The items whose words are not indexed yet. */
export const TEXT_QUEUE = queueStatement({
  queue: 'texts',
  rows: 'due_texts',
  oldest: 'SELECT min(marked_at) FROM due_texts',
});
