import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates a table of URL hashes, by which clients of the wallabag API look up items. */
export class CreateUrlHashes1765601410000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE url_hashes (
        user_id bigint NOT NULL,
        hash bigint NOT NULL,
        item_id bigint NOT NULL,
        CONSTRAINT url_hashes_pkey PRIMARY KEY (user_id, hash, item_id),
        CONSTRAINT url_hashes_user_id_fkey FOREIGN KEY (user_id) REFERENCES lists (user_id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`
      CREATE TABLE hashed_lists (
        user_id bigint NOT NULL,
        version bigint NOT NULL,
        item_id bigint NOT NULL,
        CONSTRAINT hashed_lists_pkey PRIMARY KEY (user_id),
        CONSTRAINT hashed_lists_user_id_fkey FOREIGN KEY (user_id) REFERENCES lists (user_id) ON DELETE CASCADE
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE hashed_lists`);
    await queryRunner.query(`DROP TABLE url_hashes`);
  }
}
