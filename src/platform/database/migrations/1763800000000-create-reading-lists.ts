import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = [
  `CREATE TABLE lists (
    user_id bigint NOT NULL,
    stamp bigint NOT NULL DEFAULT 0,
    tags_stamp bigint NOT NULL DEFAULT 0,
    item_count integer NOT NULL DEFAULT 0,
    facet_counts integer[] NOT NULL DEFAULT array_fill(0, ARRAY[64]),
    has_search_index boolean NOT NULL DEFAULT false,
    CONSTRAINT lists_pkey PRIMARY KEY (user_id),
    CONSTRAINT lists_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
  ) WITH (fillfactor = 50)`,
  `CREATE TABLE items (
    user_id bigint NOT NULL,
    item_id bigint NOT NULL,
    stamp bigint NOT NULL,
    status smallint NOT NULL DEFAULT 0,
    favorite smallint NOT NULL DEFAULT 0,
    time_added bigint NOT NULL,
    time_updated bigint NOT NULL,
    time_read bigint NOT NULL DEFAULT 0,
    time_favorited bigint NOT NULL DEFAULT 0,
    given_url text NOT NULL,
    given_title text NOT NULL DEFAULT '',
    prefers_given_title boolean NOT NULL DEFAULT false,
    resolved_id bigint NOT NULL DEFAULT 0,
    resolved_url text NOT NULL DEFAULT '',
    resolved_title text NOT NULL DEFAULT '',
    excerpt text NOT NULL DEFAULT '',
    lang text NOT NULL DEFAULT '',
    is_article smallint NOT NULL DEFAULT 0,
    is_index smallint NOT NULL DEFAULT 0,
    has_image smallint NOT NULL DEFAULT 0,
    has_video smallint NOT NULL DEFAULT 0,
    word_count integer NOT NULL DEFAULT 0,
    top_image_url text NOT NULL DEFAULT '',
    media json,
    tags text[] NOT NULL DEFAULT '{}',
    facet smallint NOT NULL GENERATED ALWAYS AS (
      ((status & 1) | ((favorite & 1) << 1) | (CASE WHEN tags = '{}' THEN 0 ELSE 4 END)
      | ((is_article & 1) << 3) | (CASE WHEN has_video > 0 THEN 16 ELSE 0 END)
      | (CASE WHEN has_image = 2 THEN 32 ELSE 0 END))::smallint) STORED,
    title_key text COLLATE "C" NOT NULL,
    url_key text COLLATE "C" NOT NULL,
    site text COLLATE "C" NOT NULL GENERATED ALWAYS AS (reverse(split_part(url_key, '/', 1)) || '/') STORED,
    search_text text COLLATE "C" NOT NULL,
    CONSTRAINT items_pkey PRIMARY KEY (user_id, item_id),
    CONSTRAINT items_status_check CHECK (status IN (0, 1)),
    CONSTRAINT items_user_id_fkey FOREIGN KEY (user_id) REFERENCES lists (user_id) ON DELETE CASCADE
  ) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01)`,
  `CREATE TABLE tombstones (
    user_id bigint NOT NULL,
    item_id bigint NOT NULL,
    stamp bigint NOT NULL,
    CONSTRAINT tombstones_pkey PRIMARY KEY (user_id, item_id),
    CONSTRAINT tombstones_user_id_fkey FOREIGN KEY (user_id) REFERENCES lists (user_id) ON DELETE CASCADE
  )`,
  `CREATE TABLE tags (
    user_id bigint NOT NULL,
    tag_id bigint NOT NULL,
    name text COLLATE "C" NOT NULL,
    item_count integer NOT NULL DEFAULT 0,
    CONSTRAINT tags_pkey PRIMARY KEY (user_id, tag_id),
    CONSTRAINT tags_user_id_fkey FOREIGN KEY (user_id) REFERENCES lists (user_id) ON DELETE CASCADE
  )`,
  `CREATE TABLE item_tags (
    user_id bigint NOT NULL,
    tag_id bigint NOT NULL,
    time_added bigint NOT NULL,
    item_id bigint NOT NULL,
    CONSTRAINT item_tags_pkey PRIMARY KEY (user_id, tag_id, time_added, item_id),
    CONSTRAINT item_tags_user_id_fkey FOREIGN KEY (user_id) REFERENCES lists (user_id) ON DELETE CASCADE
  )`,
  `CREATE TABLE item_search (
    user_id bigint NOT NULL,
    item_id bigint NOT NULL,
    time_added bigint NOT NULL,
    title_key text COLLATE "C" NOT NULL,
    url_key text COLLATE "C" NOT NULL,
    search_text text COLLATE "C" NOT NULL,
    CONSTRAINT item_search_pkey PRIMARY KEY (user_id, item_id),
    CONSTRAINT item_search_user_id_fkey FOREIGN KEY (user_id) REFERENCES lists (user_id) ON DELETE CASCADE
  )`,
];

/**
 * Creates the SQL function that returns hashes of all pairs of characters in a text, for the search index. It also
 * returns hashes of single characters beyond ASCII, because one Chinese character may be a whole word. Each hash also
 * depends on the user, so that a search in the index finds only rows of one user.
 */
const GRAMS = `
  CREATE FUNCTION search_grams(owner bigint, folded text) RETURNS bigint[]
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT array(
      SELECT hashtextextended(substr(folded, at, 2), owner) FROM generate_series(1, length(folded) - 1) at
      UNION
      SELECT hashtextextended(letter, owner)
      FROM unnest(string_to_array(CASE WHEN octet_length(folded) > length(folded) THEN folded ELSE '' END, NULL)) letter
      WHERE octet_length(letter) > 1)
  $$`;

const INDEXES = [
  `CREATE INDEX items_added_idx ON items (user_id, time_added, item_id) INCLUDE (facet, stamp, time_updated)`,
  `CREATE INDEX items_read_idx ON items (user_id, time_read, item_id) INCLUDE (facet) WHERE status = 1`,
  `CREATE INDEX items_favorited_idx ON items (user_id, time_favorited, item_id) INCLUDE (facet) WHERE favorite = 1`,
  `CREATE INDEX items_facet_idx ON items (user_id, facet, time_added, item_id)`,
  `CREATE INDEX items_stamp_idx ON items (user_id, stamp, item_id) INCLUDE (time_added, facet, time_updated)`,
  `CREATE INDEX items_title_idx ON items (user_id, title_key, item_id)
    INCLUDE (facet, stamp, time_updated, time_added)`,
  `CREATE INDEX items_site_idx ON items (user_id, url_key, item_id)
    INCLUDE (facet, stamp, time_updated, time_added)`,
  `CREATE INDEX items_domain_idx ON items (user_id, site, item_id) INCLUDE (time_added, facet)`,
  `CREATE INDEX tombstones_stamp_idx ON tombstones (user_id, stamp, item_id)`,
  `CREATE INDEX item_search_added_idx ON item_search (user_id, time_added, item_id)`,
  `CREATE INDEX item_search_title_idx ON item_search (user_id, title_key, item_id)`,
  `CREATE INDEX item_search_site_idx ON item_search (user_id, url_key, item_id)`,
  `CREATE INDEX item_search_grams_idx ON item_search USING gin (search_grams(user_id, search_text))`,
];

/** Creates the tables of reading lists. docs/decisions/0015 explains the sizes and the indexes of these tables. */
export class CreateReadingLists1763800000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, GRAMS, ...INDEXES]) {
      await queryRunner.query(statement);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE item_search, item_tags, tags, tombstones, items, lists`);
    await queryRunner.query(`DROP FUNCTION search_grams`);
  }
}
