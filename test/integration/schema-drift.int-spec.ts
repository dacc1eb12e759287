import { isDeepStrictEqual } from 'node:util';

import { DataSource } from 'typeorm';

import { dataSourceOptions } from '../support/data-source-options.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

/** Lists every schema object as PostgreSQL describes it, one per row. */
const SCHEMA = `
  WITH tables AS (
    SELECT oid, relname, relpersistence, reloptions FROM pg_class
    WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
      AND relname NOT IN ('migrations', 'typeorm_metadata')
  )
  SELECT concat_ws(' ', 'table', relname, CASE relpersistence WHEN 'u' THEN 'unlogged' END, reloptions::text) AS said
  FROM tables
  UNION ALL
  SELECT concat_ws(' ', 'column', relname || '.' || attname, format_type(atttypid, atttypmod),
    CASE WHEN attcollation <> typcollation THEN 'collate ' || collname END,
    CASE WHEN attnotnull THEN 'not null' END,
    CASE WHEN attidentity <> '' THEN 'identity ' || attidentity::text END,
    CASE WHEN attgenerated = '' THEN 'default ' ELSE 'generated ' END
      || regexp_replace(pg_get_expr(adbin, adrelid), $$'(\\d+)'::(smallint|bigint)$$, '\\1'),
    CASE WHEN attstorage <> typstorage THEN 'storage ' || attstorage::text END)
  FROM tables
    JOIN pg_attribute ON attrelid = tables.oid AND attnum > 0 AND NOT attisdropped
    JOIN pg_type ON pg_type.oid = atttypid
    LEFT JOIN pg_collation ON pg_collation.oid = attcollation
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  UNION ALL
  SELECT concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(pg_constraint.oid))
  FROM tables JOIN pg_constraint ON conrelid = tables.oid AND contype <> 'n'
  UNION ALL
  SELECT regexp_replace(pg_get_indexdef(indexrelid), '(ON )?' || current_schema() || '\\.', '\\1', 'g')
  FROM tables JOIN pg_index ON indrelid = tables.oid
  WHERE NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)
  UNION ALL
  SELECT 'trigger ' || pg_get_triggerdef(pg_trigger.oid)
  FROM tables JOIN pg_trigger ON tgrelid = tables.oid AND NOT tgisinternal
  UNION ALL
  SELECT 'function ' || oid::regprocedure FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
  UNION ALL
  SELECT CASE relkind WHEN 'S' THEN 'sequence ' ELSE 'relation ' END || relname FROM pg_class
  WHERE relkind IN ('S', 'v', 'm', 'p', 'f') AND relnamespace = current_schema()::regnamespace
    AND relname <> 'migrations_id_seq'`;

async function schemaOf(database: TestDatabase): Promise<string[]> {
  const rows = await database.query<{ said: string }>(SCHEMA);
  return rows.map(({ said }) => said);
}

/** Creates the schema from the entities only. */
async function synchronize({ connection }: TestDatabase): Promise<void> {
  const dataSource = await new DataSource(dataSourceOptions(connection, 2)).initialize();
  try {
    await dataSource.synchronize();
  } finally {
    await dataSource.destroy();
  }
}

/** Objects that migrations create and TypeORM cannot express. A superfluous entry fails like a missing one. */
const MIGRATIONS_ALONE = [
  // INCLUDE columns, expressions, and index methods other than btree. Entities declare partial indexes without these.
  'CREATE INDEX item_search_grams_idx ON item_search USING gin (search_grams(user_id, search_text))',
  'CREATE INDEX deleted_items_trash_idx ON deleted_items USING btree (user_id, deleted_at, item_id) INCLUDE (bytes)',
  'CREATE INDEX item_texts_words_idx ON item_texts USING gin (words)',
  'CREATE INDEX items_added_idx ON items USING btree (user_id, added_order, item_id) INCLUDE (facet, stamp, time_updated, word_count, lang, is_pdf, fetch_failed)',
  'CREATE INDEX items_domain_idx ON items USING btree (user_id, site, item_id) INCLUDE (added_order, facet)',
  'CREATE INDEX items_failed_idx ON items USING btree (user_id, added_order, item_id) WHERE (fetch_failed = 1)',
  'CREATE INDEX items_favorited_idx ON items USING btree (user_id, time_favorited, item_id) INCLUDE (facet) WHERE (favorite = 1)',
  `CREATE INDEX items_lang_idx ON items USING btree (user_id, lower((lang COLLATE "C"))) WHERE (lang <> ''::text)`,
  "CREATE INDEX items_note_idx ON items USING btree (user_id, added_order, item_id) WHERE (note <> ''::text)",
  'CREATE INDEX items_gone_idx ON items USING btree (user_id, added_order, item_id) WHERE (gone_since > 0)',
  'CREATE INDEX items_pdf_idx ON items USING btree (user_id, added_order, item_id) WHERE (is_pdf = 1)',
  'CREATE INDEX items_read_idx ON items USING btree (user_id, time_read, item_id) INCLUDE (facet) WHERE (status = 1)',
  `CREATE INDEX items_host_idx ON items USING btree (user_id, "left"("substring"(lower((COALESCE(NULLIF(resolved_url, ''::text), given_url) COLLATE "C")), '^(?:https?://)?(?:[^/?#]*@)?(\\[[^]]*\\]|[^:/?#]*)'::text), 253), number)`,
  "CREATE INDEX items_resolved_url_idx ON items USING btree (user_id, ((md5(resolved_url))::uuid)) WHERE (resolved_url <> ''::text)",
  'CREATE INDEX items_site_idx ON items USING btree (user_id, url_key, item_id) INCLUDE (facet, stamp, time_updated, added_order)',
  'CREATE INDEX items_stamp_idx ON items USING btree (user_id, stamp, item_id) INCLUDE (added_order, facet, time_updated)',
  'CREATE INDEX items_title_idx ON items USING btree (user_id, title_key, item_id) INCLUDE (facet, stamp, time_updated, added_order)',
  'CREATE INDEX reading_positions_fraction_idx ON reading_positions USING btree (user_id, item_id) INCLUDE (fraction)',
  // TypeORM sorts the columns of a parent class first, here item_id.
  'constraint items items_pkey PRIMARY KEY (user_id, item_id)',
  'constraint annotations annotations_item_id_fkey FOREIGN KEY (user_id, item_id) REFERENCES items(user_id, item_id) ON DELETE CASCADE',
  'constraint list_rule_items list_rule_items_item_id_fkey FOREIGN KEY (user_id, item_id) REFERENCES items(user_id, item_id) ON DELETE CASCADE',
  'constraint reading_positions reading_positions_item_id_fkey FOREIGN KEY (user_id, item_id) REFERENCES items(user_id, item_id) ON DELETE CASCADE',
  'constraint item_details item_details_item_id_fkey FOREIGN KEY (user_id, item_id) REFERENCES items(user_id, item_id) ON DELETE CASCADE',
  'constraint shared_items shared_items_item_id_fkey FOREIGN KEY (user_id, item_id) REFERENCES items(user_id, item_id) ON DELETE CASCADE',
  'constraint snapshots snapshots_item_id_fkey FOREIGN KEY (user_id, item_id) REFERENCES items(user_id, item_id) ON DELETE CASCADE',
  'constraint item_texts item_texts_item_id_fkey FOREIGN KEY (user_id, item_id) REFERENCES items(user_id, item_id) ON DELETE CASCADE',
  // Storage parameters of tables.
  'table call_counters unlogged {fillfactor=50}',
  'table item_texts {toast_tuple_target=128,autovacuum_vacuum_scale_factor=0.01,autovacuum_vacuum_insert_scale_factor=0.01}',
  'table items {autovacuum_vacuum_scale_factor=0.01,autovacuum_vacuum_insert_scale_factor=0.01}',
  'table lists {fillfactor=50}',
  'table page_cursors unlogged {fillfactor=70}',
  'table page_quotas {fillfactor=50}',
  'table throttle_counters unlogged',
  'column import_chunks.bytes bytea not null storage e',
  'column pictures.image bytea storage e',
  'column snapshots.html bytea not null storage e',
  'function is_in_flight(xid)',
  'function search_grams(bigint,text)',
];

/** Objects that TypeORM creates instead. */
const ENTITIES_ALONE = [
  'constraint items items_pkey PRIMARY KEY (item_id, user_id)',
  'constraint annotations annotations_item_id_fkey FOREIGN KEY (item_id, user_id) REFERENCES items(item_id, user_id) ON DELETE CASCADE',
  'constraint list_rule_items list_rule_items_item_id_fkey FOREIGN KEY (item_id, user_id) REFERENCES items(item_id, user_id) ON DELETE CASCADE',
  'constraint reading_positions reading_positions_item_id_fkey FOREIGN KEY (item_id, user_id) REFERENCES items(item_id, user_id) ON DELETE CASCADE',
  'constraint item_details item_details_item_id_fkey FOREIGN KEY (item_id, user_id) REFERENCES items(item_id, user_id) ON DELETE CASCADE',
  'constraint shared_items shared_items_item_id_fkey FOREIGN KEY (item_id, user_id) REFERENCES items(item_id, user_id) ON DELETE CASCADE',
  'constraint snapshots snapshots_item_id_fkey FOREIGN KEY (item_id, user_id) REFERENCES items(item_id, user_id) ON DELETE CASCADE',
  'constraint item_texts item_texts_item_id_fkey FOREIGN KEY (item_id, user_id) REFERENCES items(item_id, user_id) ON DELETE CASCADE',
  'table call_counters',
  'table item_texts',
  'table items',
  'table lists',
  'table page_cursors',
  'table page_quotas',
  'table throttle_counters',
  'column import_chunks.bytes bytea not null',
  'column pictures.image bytea',
  'column snapshots.html bytea not null',
];

/** Each change represents a migration without a matching entity. */
const CHANGES = [
  'CREATE TABLE notes (id bigint)',
  'ALTER TABLE users ADD COLUMN nickname text',
  'ALTER TABLE users RENAME COLUMN name TO full_name',
  'ALTER TABLE users DROP COLUMN password_hash',
  'ALTER TABLE users ALTER COLUMN session_epoch TYPE bigint',
  'ALTER TABLE users ALTER COLUMN email DROP NOT NULL',
  'ALTER TABLE users ALTER COLUMN email TYPE varchar(320)',
  'ALTER TABLE users ALTER COLUMN email TYPE varchar(640)',
  'ALTER TABLE users ALTER COLUMN created_at DROP DEFAULT',
  'ALTER TABLE users ALTER COLUMN disabled_at SET DEFAULT now()',
  'ALTER TABLE users ALTER COLUMN id SET GENERATED BY DEFAULT',
  'ALTER TABLE users DROP CONSTRAINT users_email_key',
  'ALTER TABLE users ADD CONSTRAINT users_email_key UNIQUE (email, full_name)',
  'ALTER TABLE items ALTER COLUMN word_count SET DEFAULT 1',
  'ALTER TABLE items ALTER COLUMN title_key TYPE text COLLATE "POSIX"',
  'ALTER TABLE items ALTER COLUMN facet DROP EXPRESSION',
  'ALTER TABLE items DROP CONSTRAINT items_status_check',
  'ALTER TABLE items ADD CONSTRAINT items_status_check CHECK (status IN (0, 1, 2))',
  'ALTER TABLE items DROP CONSTRAINT items_user_id_fkey',
  'ALTER TABLE items ADD CONSTRAINT items_user_id_fkey FOREIGN KEY (user_id) REFERENCES lists (user_id)',
  'ALTER TABLE refresh_tokens DROP CONSTRAINT refresh_tokens_user_id_fkey',
  'ALTER TABLE consumer_keys DROP CONSTRAINT consumer_keys_dialect_check',
  'DROP INDEX rotated_refresh_tokens_user_id_idx',
  'DROP INDEX items_facet_idx',
  'CREATE INDEX items_facet_idx ON items (user_id, facet)',
  'DROP INDEX items_read_idx',
  'DROP INDEX imports_queue_idx',
  'CREATE INDEX imports_queue_idx ON imports (created_at) WHERE finished_at IS NOT NULL',
  'ALTER TABLE item_tags DROP CONSTRAINT item_tags_pkey',
  'ALTER TABLE tombstones SET UNLOGGED',
  'ALTER TABLE lists RESET (fillfactor)',
  'DROP TABLE throttle_counters',
];

describe('the entities', () => {
  let migrated: TestDatabase;
  let synchronized: TestDatabase;

  beforeAll(async () => {
    [migrated, synchronized] = [await aDatabase(), await aDatabase({ isEmpty: true })];
    await synchronize(synchronized);
  });
  afterAll(() => Promise.all([migrated, synchronized].map((database) => database.drop())));

  async function differences() {
    const [ofMigrations, ofEntities] = [await schemaOf(migrated), await schemaOf(synchronized)];
    return {
      migrationsAlone: ofMigrations.filter((said) => !ofEntities.includes(said)).toSorted(),
      entitiesAlone: ofEntities.filter((said) => !ofMigrations.includes(said)).toSorted(),
    };
  }

  it('match the schema of the migrations, except for known limits of TypeORM', async () => {
    expect(await differences()).toEqual({
      migrationsAlone: MIGRATIONS_ALONE.toSorted(),
      entitiesAlone: ENTITIES_ALONE.toSorted(),
    });
  });

  it('are all included in the comparison', async () => {
    const dataSource = new DataSource(dataSourceOptions(migrated.connection, 1));
    await dataSource.initialize();
    await dataSource.destroy();

    expect(dataSource.entityMetadatas.filter(({ synchronize: isMade }) => !isMade)).toEqual([]);
  });

  it('no longer match after any change of the schema', async () => {
    const unseen: string[] = [];
    let known = await differences();

    for (const change of CHANGES) {
      await migrated.query(change);
      const found = await differences();
      unseen.push(...(isDeepStrictEqual(found, known) ? [change] : []));
      known = found;
    }

    expect(unseen).toEqual([]);
  });
});
