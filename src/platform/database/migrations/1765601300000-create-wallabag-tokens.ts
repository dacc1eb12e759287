import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateWallabagTokens1765601300000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE wallabag_tokens (
        id bigint GENERATED ALWAYS AS IDENTITY,
        grant_id bigint NOT NULL,
        access_hash bytea NOT NULL,
        access_expires_at timestamptz NOT NULL,
        refresh_hash bytea NOT NULL,
        refresh_expires_at timestamptz NOT NULL,
        refreshed_at timestamptz,
        refreshes integer NOT NULL DEFAULT 0,
        CONSTRAINT wallabag_tokens_pkey PRIMARY KEY (id),
        CONSTRAINT wallabag_tokens_access_hash_key UNIQUE (access_hash),
        CONSTRAINT wallabag_tokens_refresh_hash_key UNIQUE (refresh_hash),
        CONSTRAINT wallabag_tokens_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES grants (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(
      `CREATE INDEX wallabag_tokens_grant_id_idx ON wallabag_tokens (grant_id)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE wallabag_tokens`);
  }
}
