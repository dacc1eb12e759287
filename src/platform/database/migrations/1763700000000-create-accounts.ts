import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateAccounts1763700000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE users (
        id bigint GENERATED ALWAYS AS IDENTITY,
        name text NOT NULL,
        email text NOT NULL,
        password_hash text NOT NULL,
        session_epoch integer NOT NULL DEFAULT 0,
        disabled_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT users_pkey PRIMARY KEY (id),
        CONSTRAINT users_email_key UNIQUE (email)
      )`);
    await queryRunner.query(`
      CREATE TABLE refresh_tokens (
        user_id bigint NOT NULL,
        token_hash bytea NOT NULL,
        issued_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT refresh_tokens_pkey PRIMARY KEY (user_id),
        CONSTRAINT refresh_tokens_token_hash_key UNIQUE (token_hash),
        CONSTRAINT refresh_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`
      CREATE TABLE rotated_refresh_tokens (
        token_hash bytea NOT NULL,
        user_id bigint NOT NULL,
        rotated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT rotated_refresh_tokens_pkey PRIMARY KEY (token_hash),
        CONSTRAINT rotated_refresh_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(
      `CREATE INDEX rotated_refresh_tokens_user_id_idx ON rotated_refresh_tokens (user_id)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE rotated_refresh_tokens, refresh_tokens, users`);
  }
}
