import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the time at which an email address was verified, and a table of the devices from which users have logged in
 * (docs/decisions/0067).
 */
export class VerifyEmailAddresses1765601100000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE users ADD COLUMN email_verified_at timestamptz`);
    await queryRunner.query(`UPDATE users SET email_verified_at = created_at`);
    await queryRunner.query(`
      CREATE TABLE known_logins (
        user_id bigint NOT NULL,
        origin bytea NOT NULL,
        last_used_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT known_logins_pkey PRIMARY KEY (user_id, origin),
        CONSTRAINT known_logins_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE known_logins`);
    await queryRunner.query(`ALTER TABLE users DROP COLUMN email_verified_at`);
  }
}
