import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddKindsOfKeys1765601200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE consumer_keys
        ADD COLUMN kind text NOT NULL DEFAULT 'key',
        ADD COLUMN secret_hash bytea,
        ADD CONSTRAINT consumer_keys_kind_check CHECK (kind IN ('key', 'password', 'client')),
        ADD CONSTRAINT consumer_keys_secret_check CHECK ((kind = 'client') = (secret_hash IS NOT NULL))`);
  }

  /**
   * Reverts the migration. Deletes application passwords and clients of wallabag, because the earlier schema would
   * treat them as consumer keys.
   */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM consumer_keys WHERE kind <> 'key'`);
    await queryRunner.query(
      `ALTER TABLE consumer_keys DROP CONSTRAINT consumer_keys_secret_check, DROP COLUMN kind, DROP COLUMN secret_hash`,
    );
  }
}
