import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds an index on `resolved_url`, the URL of a page after redirects. A client may request an article by the resolved
 * URL, because earlier responses contained this URL (docs/decisions/0021).
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
