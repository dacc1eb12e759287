import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds an index on the URLs of pages after redirects. A device requests an article by a URL from an earlier response,
 * and this URL may be the one after redirects (docs/decisions/0021).
 */
export class IndexResolvedUrls1764100000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX items_resolved_url_idx ON items (user_id, (md5(resolved_url)::uuid)) WHERE resolved_url <> ''`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX items_resolved_url_idx`);
  }
}
