import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Allows logins with an OpenID Connect issuer, and accounts without a password (docs/decisions/0066). */
export class CreateIdentities1765601000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE identities (
        issuer text NOT NULL,
        subject text NOT NULL,
        user_id bigint NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT identities_pkey PRIMARY KEY (issuer, subject),
        CONSTRAINT identities_user_id_issuer_key UNIQUE (user_id, issuer),
        CONSTRAINT identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`ALTER TABLE users ALTER COLUMN password_hash DROP NOT NULL`);
  }

  /** Reverts the migration. Accounts without a password get an empty hash, which no password matches. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`UPDATE users SET password_hash = '' WHERE password_hash IS NULL`);
    await queryRunner.query(`ALTER TABLE users ALTER COLUMN password_hash SET NOT NULL`);
    await queryRunner.query(`DROP TABLE identities`);
  }
}
