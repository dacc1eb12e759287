import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddRolesAndOneTimeLinks1765600700000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE users
        ADD COLUMN role text NOT NULL DEFAULT 'user',
        ADD CONSTRAINT users_role_check CHECK (role IN ('administrator', 'user'))`);
    await queryRunner.query(`
      CREATE TABLE one_time_links (
        token_hash bytea NOT NULL,
        purpose text NOT NULL,
        user_id bigint,
        email text,
        created_by bigint,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        CONSTRAINT one_time_links_pkey PRIMARY KEY (token_hash),
        CONSTRAINT one_time_links_user_id_fkey FOREIGN KEY (user_id)
          REFERENCES users (id) ON DELETE CASCADE,
        CONSTRAINT one_time_links_created_by_fkey FOREIGN KEY (created_by)
          REFERENCES users (id) ON DELETE SET NULL,
        CONSTRAINT one_time_links_purpose_check
          CHECK (purpose IN ('invitation', 'password-reset', 'email-verification'))
      )`);
    for (const column of ['user_id', 'created_by', 'expires_at']) {
      await queryRunner.query(
        `CREATE INDEX one_time_links_${column}_idx ON one_time_links (${column})`,
      );
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE one_time_links`);
    await queryRunner.query(`ALTER TABLE users DROP COLUMN role`);
  }
}
