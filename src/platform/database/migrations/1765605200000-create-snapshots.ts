import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLE = [
  `CREATE TABLE snapshots (
    user_id bigint NOT NULL,
    snapshot_id uuid NOT NULL,
    item_id bigint,
    trashed_item_id bigint,
    created_at timestamptz NOT NULL DEFAULT now(),
    html bytea NOT NULL,
    bytes integer NOT NULL,
    CONSTRAINT snapshots_pkey PRIMARY KEY (user_id, snapshot_id)
  )`,
  // The HTML is compressed, so PostgreSQL does not try to compress it.
  `ALTER TABLE snapshots ALTER COLUMN html SET STORAGE EXTERNAL`,
  `CREATE INDEX snapshots_item_id_idx ON snapshots (user_id, item_id)`,
  `CREATE INDEX snapshots_trashed_item_id_idx ON snapshots (user_id, trashed_item_id)`,
  `CREATE INDEX snapshots_created_at_idx ON snapshots (user_id, created_at, snapshot_id)`,
];

/** Distributes the table if the other personal tables are distributed already (docs/host/scaling.md). */
const DISTRIBUTE = `
  DO $$ BEGIN
    IF to_regclass('pg_dist_partition') IS NOT NULL THEN
      EXECUTE $spread$
        SELECT create_distributed_table('snapshots', 'user_id', colocate_with => 'lists')
        WHERE EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'lists'::regclass) $spread$;
    END IF;
  END $$`;

const REFERENCES = [
  `ALTER TABLE snapshots ADD CONSTRAINT snapshots_item_id_fkey
    FOREIGN KEY (user_id, item_id) REFERENCES items (user_id, item_id) ON DELETE CASCADE`,
  `ALTER TABLE snapshots ADD CONSTRAINT snapshots_trashed_item_id_fkey
    FOREIGN KEY (user_id, trashed_item_id) REFERENCES deleted_items (user_id, item_id) ON DELETE CASCADE`,
];

/** Creates the table of snapshots of pages, as browsers have shown them (docs/decisions/0142). */
export class CreateSnapshots1765605200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [...TABLE, DISTRIBUTE, ...REFERENCES]) {
      await queryRunner.query(statement);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE snapshots`);
  }
}
