import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds a login name to application passwords, for clients that reject an `@` in a user name. */
export class AddLoginNames1765602220000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE consumer_keys
      ADD COLUMN login_name text,
      ADD CONSTRAINT consumer_keys_login_name_key UNIQUE (login_name),
      ADD CONSTRAINT consumer_keys_login_name_check
        CHECK (login_name IS NULL OR (kind = 'password' AND login_name ~ '^[a-z0-9_]{1,64}$'))`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE consumer_keys DROP COLUMN login_name`);
  }
}
