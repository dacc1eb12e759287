import { addedOrder } from '../../src/reading-list/list/list-state.js';
import { tagId } from '../../src/reading-list/list/tag-name.js';
import {
  DIGEST_LIST,
  type ModelItem,
  type ModelTombstone,
  searchText,
  urlKey,
} from './list-model.js';
import type { TestDatabase } from './test-database.js';

const ITEMS = `
  INSERT INTO items (user_id, item_id, stamp, status, favorite, time_added, added_sequence, time_updated, time_read, time_favorited,
    given_url, given_title, is_article, has_video, has_image, tags, title_key, url_key, search_text, number,
    word_count, lang, is_pdf, fetch_failed, gone_since, note)
  SELECT $1, id, stamp, status, favorite, added, sequence, updated, read, favorited,
    'https://' || url_key, title, "isArticle", "hasVideo", "hasImage", tags, lower_title, url_key, search_text, -row_number() OVER (),
    "wordCount", language, "isPdf", "fetchFailed", "goneSince", note
  FROM jsonb_to_recordset($2) AS item (id bigint, stamp bigint, status int, favorite int, added bigint, sequence int, updated bigint,
    read bigint, favorited bigint, title text, "isArticle" int, "hasVideo" int, "hasImage" int, tags text[],
    lower_title text, url_key text, search_text text, "wordCount" int, language text, "isPdf" int, "fetchFailed" int, "goneSince" bigint, note text)`;

const ANNOTATIONS = `
  INSERT INTO annotations (user_id, annotation_id, item_id, quote, patch, version, created_at, updated_at, number)
  SELECT $1, id || '-' || n, id, 'x', '', '2', n, n, -row_number() OVER ()
  FROM jsonb_to_recordset($2) AS item (id bigint, annotations int), generate_series(1, annotations) n`;

const POSITIONS = `
  INSERT INTO reading_positions (user_id, item_id, fraction, updated_at)
  SELECT $1, id, fraction, now() FROM jsonb_to_recordset($2) AS item (id bigint, fraction real) WHERE fraction IS NOT NULL`;

/** Creates two lists with digests, each of which has contained the items that the other one has not. */
const DIGESTS = [
  `INSERT INTO saved_lists (user_id, id, name, name_key, conditions, place)
   SELECT $1, id, id, id, '{}', row_number() OVER () FROM unnest($2::uuid[]) id`,
  `INSERT INTO list_digest_items (user_id, list_id, item_id)
   SELECT $1, CASE WHEN "isInDigest" THEN $3::uuid ELSE $4 END, id
   FROM jsonb_to_recordset($2) AS item (id bigint, "isInDigest" boolean)`,
] as const;
const OTHER_LIST = '5f0c3c4e-0000-4000-8000-000000000002';

/** Derives the columns and tables that the service would maintain together with the items. */
const KEPT = [
  `INSERT INTO item_search (user_id, item_id, added_order, title_key, url_key, search_text)
   SELECT user_id, item_id, added_order, title_key, url_key, search_text FROM items WHERE user_id = $1`,
  `UPDATE lists SET stamp = greatest(stamp, (SELECT max(stamp) FROM items WHERE user_id = $1),
       (SELECT max(stamp) FROM tombstones WHERE user_id = $1)), item_count = (SELECT count(*) FROM items WHERE user_id = $1), has_search_index = true,
     facet_counts = array(SELECT (SELECT count(*)::int FROM items WHERE user_id = $1 AND facet = f) FROM generate_series(0, 63) f)
   WHERE user_id = $1`,
];

let users = 0;

/** Stores a list as the service would. Returns the id of its owner. */
export async function aSavedList(
  database: TestDatabase,
  { items, tombstones }: { items: readonly ModelItem[]; tombstones: readonly ModelTombstone[] },
): Promise<string> {
  users += 1;
  const [user] = await database.query<{ id: string }>(
    `INSERT INTO users (name, email, password_hash) VALUES ('Ada', $1, '') RETURNING id`,
    [`reader${users}@example.com`],
  );
  const userId = user!.id;
  await database.query(`INSERT INTO lists (user_id, stamp) VALUES ($1, 7)`, [userId]);
  const rows = items.map((item) => ({
    ...item,
    lower_title: item.title.toLowerCase(),
    url_key: urlKey(item),
    search_text: searchText(item),
  }));
  await database.query(ITEMS, [userId, JSON.stringify(rows)]);
  await database.query(
    `INSERT INTO tombstones (user_id, item_id, stamp)
     SELECT $1, id, stamp FROM jsonb_to_recordset($2) AS one (id bigint, stamp bigint)`,
    [userId, JSON.stringify(tombstones)],
  );
  await saveTags(database, userId, items);
  await database.query(ANNOTATIONS, [userId, JSON.stringify(rows)]);
  await database.query(POSITIONS, [userId, JSON.stringify(rows)]);
  await database.query(DIGESTS[0], [userId, [DIGEST_LIST, OTHER_LIST]]);
  await database.query(DIGESTS[1], [userId, JSON.stringify(rows), DIGEST_LIST, OTHER_LIST]);
  for (const statement of KEPT) {
    await database.query(statement, [userId]);
  }
  return userId;
}

async function saveTags(database: TestDatabase, userId: string, items: readonly ModelItem[]) {
  const tagged = items.flatMap(({ id, added, sequence, tags }) =>
    tags.map((name) => ({
      ...{ id, name, tag: tagId(name) },
      order: addedOrder({ timeAdded: added, addedSequence: sequence }),
    })),
  );
  await database.query(
    `WITH tagged AS (SELECT * FROM jsonb_to_recordset($2) AS one (id bigint, "order" bigint, name text, tag bigint)),
       links AS (INSERT INTO item_tags (user_id, tag_id, added_order, item_id) SELECT $1, tag, "order", id FROM tagged)
     INSERT INTO tags (user_id, tag_id, name, item_count, number) SELECT $1, tag, name, count(*), -row_number() OVER () FROM tagged GROUP BY tag, name`,
    [userId, JSON.stringify(tagged)],
  );
}
