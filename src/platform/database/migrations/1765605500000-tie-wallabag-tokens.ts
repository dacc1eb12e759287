import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  `ALTER TABLE wallabag_tokens ADD COLUMN password_key_id bigint`,
  `ALTER TABLE wallabag_tokens ADD CONSTRAINT wallabag_tokens_password_key_id_fkey
    FOREIGN KEY (password_key_id) REFERENCES consumer_keys (id) ON DELETE CASCADE`,
  `CREATE INDEX wallabag_tokens_password_key_id_idx ON wallabag_tokens (password_key_id)
    WHERE password_key_id IS NOT NULL`,
];

/** Ties the tokens of a login to its application password (docs/decisions/0136). */
export class TieWallabagTokens1765605500000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) {
      await queryRunner.query(statement);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE wallabag_tokens DROP COLUMN password_key_id`);
  }
}
