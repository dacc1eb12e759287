import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the table of the changes of imports, with which an import can be undone (docs/decisions/0137). */
export class CreateImportChanges1765604600000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE import_changes (
        user_id bigint NOT NULL,
        import_id bigint NOT NULL,
        last_row integer NOT NULL,
        item_ids bigint[] NOT NULL,
        fingerprints bigint[] NOT NULL,
        earlier jsonb NOT NULL,
        restored_ids bigint[] NOT NULL,
        saved_lists jsonb NOT NULL,
        CONSTRAINT import_changes_pkey PRIMARY KEY (user_id, import_id, last_row),
        CONSTRAINT import_changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES lists (user_id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`
      ALTER TABLE imports ADD COLUMN keeps_changes boolean NOT NULL DEFAULT false,
        ADD COLUMN undo_until timestamptz,
        ADD COLUMN undo_removed integer NOT NULL DEFAULT 0,
        ADD COLUMN undo_restored integer NOT NULL DEFAULT 0,
        ADD COLUMN undo_kept integer NOT NULL DEFAULT 0,
        ADD COLUMN undo_lists integer NOT NULL DEFAULT 0,
        DROP CONSTRAINT imports_state_check,
        ADD CONSTRAINT imports_state_check CHECK (state IN
          ('uploading', 'waiting', 'running', 'done', 'failed', 'cancelled', 'undoing', 'undone'))`);
    await queryRunner.query(
      `ALTER TABLE tombstones ADD COLUMN is_undone boolean NOT NULL DEFAULT false`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE tombstones DROP COLUMN is_undone`);
    await queryRunner.query(`UPDATE imports SET state = 'done' WHERE state = 'undone'`);
    await queryRunner.query(
      `UPDATE imports SET state = 'failed', finished_at = now() WHERE state = 'undoing'`,
    );
    await queryRunner.query(`
      ALTER TABLE imports DROP CONSTRAINT imports_state_check,
        ADD CONSTRAINT imports_state_check CHECK (state IN
          ('uploading', 'waiting', 'running', 'done', 'failed', 'cancelled')),
        DROP COLUMN undo_lists, DROP COLUMN undo_kept, DROP COLUMN undo_restored, DROP COLUMN undo_removed,
        DROP COLUMN undo_until, DROP COLUMN keeps_changes`);
    await queryRunner.query(`DROP TABLE import_changes`);
  }
}
