import type { MigrationInterface, QueryRunner } from 'typeorm';

const REFERENCES = [
  ['pages', 'owner_id'],
  ['page_requests', 'user_id'],
  ['page_quotas', 'user_id'],
  ['sent_pages', 'user_id'],
  ['due_texts', 'user_id'],
] as const;

/**
 * Changes foreign keys from `lists` to `users` in the tables that all users share, because lists
 * may be on other servers (docs/decisions/0082). The migration rewrites no table. It reads each
 * table once, but not the stored articles.
 */
export class ReferToUsers1765601700000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await refer(queryRunner, 'users (id)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await refer(queryRunner, 'lists (user_id)');
  }
}

async function refer(queryRunner: QueryRunner, key: string): Promise<void> {
  for (const [table, column] of REFERENCES) {
    const name = `${table}_${column}_fkey`;
    await queryRunner.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name},
      ADD CONSTRAINT ${name} FOREIGN KEY (${column}) REFERENCES ${key} ON DELETE CASCADE`);
  }
}
