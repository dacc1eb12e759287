import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds an index on the host of an item's URL after redirects, because clients of the wallabag API request the entries
 * of one host.
 */
export class IndexHosts1765601600000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      String.raw`CREATE INDEX items_host_idx ON items (user_id, (left(substring(
        lower(coalesce(nullif(resolved_url, ''), given_url) COLLATE "C")
        from '^(?:https?://)?(?:[^/?#]*@)?(\[[^]]*\]|[^:/?#]*)'), 253)), number)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX items_host_idx`);
  }
}
