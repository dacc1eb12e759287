import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = [
  `CREATE TABLE pictures (
    picture_id bigint GENERATED ALWAYS AS IDENTITY,
    url_key bytea NOT NULL,
    url text NOT NULL,
    host text NOT NULL,
    image bytea,
    attempts smallint NOT NULL DEFAULT 0,
    due_at timestamptz,
    leased_until timestamptz,
    CONSTRAINT pictures_pkey PRIMARY KEY (picture_id),
    CONSTRAINT pictures_url_key_key UNIQUE (url_key)
  )`,
  // PostgreSQL cannot compress pictures further, so it does not try.
  `ALTER TABLE pictures ALTER COLUMN image SET STORAGE EXTERNAL`,
  `CREATE TABLE page_pictures (
    page_id bigint NOT NULL,
    picture_id bigint NOT NULL,
    CONSTRAINT page_pictures_pkey PRIMARY KEY (page_id, picture_id),
    CONSTRAINT page_pictures_page_id_fkey FOREIGN KEY (page_id) REFERENCES pages (page_id) ON DELETE CASCADE,
    CONSTRAINT page_pictures_picture_id_fkey FOREIGN KEY (picture_id) REFERENCES pictures (picture_id)
  )`,
  // The column is null, so PostgreSQL rewrites no row.
  `ALTER TABLE pages ADD COLUMN pictures_at timestamptz`,
];

const INDEXES = [
  `CREATE INDEX pictures_due_idx ON pictures (due_at) WHERE due_at IS NOT NULL`,
  `CREATE INDEX pictures_host_idx ON pictures (host, due_at) WHERE due_at IS NOT NULL`,
  `CREATE INDEX pictures_leased_idx ON pictures (host) WHERE leased_until IS NOT NULL`,
  `CREATE INDEX page_pictures_picture_id_idx ON page_pictures (picture_id)`,
  `CREATE INDEX pages_pictures_idx ON pages (page_id) WHERE fetched_at IS DISTINCT FROM pictures_at`,
];

/** Creates the tables of the pictures that are stored with articles (docs/decisions/0139). */
export class CreatePictures1765605100000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, ...INDEXES]) {
      await queryRunner.query(statement);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE page_pictures, pictures`);
    await queryRunner.query(`DROP INDEX pages_pictures_idx`);
    await queryRunner.query(`ALTER TABLE pages DROP COLUMN pictures_at`);
  }
}
