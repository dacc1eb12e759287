import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `ALTER TABLE items ADD COLUMN imported_as_of bigint`,
  `CREATE TABLE imports (
    id bigint GENERATED ALWAYS AS IDENTITY,
    user_id bigint NOT NULL,
    file_name text NOT NULL,
    restores_deleted boolean NOT NULL,
    state text NOT NULL DEFAULT 'uploading',
    format text,
    row_count integer,
    rows_done integer NOT NULL DEFAULT 0,
    added integer NOT NULL DEFAULT 0,
    changed integer NOT NULL DEFAULT 0,
    unchanged integer NOT NULL DEFAULT 0,
    deleted integer NOT NULL DEFAULT 0,
    refused integer NOT NULL DEFAULT 0,
    incomplete integer NOT NULL DEFAULT 0,
    failure text,
    attempts integer NOT NULL DEFAULT 0,
    lease uuid,
    leased_until timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    CONSTRAINT imports_pkey PRIMARY KEY (id),
    CONSTRAINT imports_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
    CONSTRAINT imports_state_check CHECK (state IN ('uploading', 'waiting', 'running', 'done', 'failed', 'cancelled'))
  )`,
  `CREATE UNIQUE INDEX imports_unfinished_idx ON imports (user_id) WHERE finished_at IS NULL`,
  `CREATE INDEX imports_queue_idx ON imports (created_at) WHERE finished_at IS NULL`,
  `CREATE INDEX imports_user_idx ON imports (user_id, id)`,
  `CREATE TABLE import_chunks (
    import_id bigint NOT NULL,
    place integer NOT NULL,
    bytes bytea NOT NULL,
    CONSTRAINT import_chunks_pkey PRIMARY KEY (import_id, place),
    CONSTRAINT import_chunks_import_id_fkey FOREIGN KEY (import_id) REFERENCES imports (id) ON DELETE CASCADE
  )`,
  `ALTER TABLE import_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL`,
  `CREATE TABLE import_remarks (
    import_id bigint NOT NULL,
    row_number integer NOT NULL,
    path text NOT NULL,
    line integer NOT NULL,
    is_refused boolean NOT NULL,
    reason text NOT NULL,
    excerpt text NOT NULL,
    CONSTRAINT import_remarks_pkey PRIMARY KEY (import_id, row_number),
    CONSTRAINT import_remarks_import_id_fkey FOREIGN KEY (import_id) REFERENCES imports (id) ON DELETE CASCADE
  )`,
];

const DOWN = [
  `DROP TABLE import_remarks, import_chunks, imports`,
  `ALTER TABLE items DROP COLUMN imported_as_of`,
];

/**
 * Creates tables for uploaded files that were exported from other services, and for the results of their imports
 * (docs/decisions/0023).
 */
export class CreateImports1764400000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) {
      await queryRunner.query(statement);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) {
      await queryRunner.query(statement);
    }
  }
}
