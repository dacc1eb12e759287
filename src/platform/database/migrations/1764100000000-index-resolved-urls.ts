import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds an index, because devices request articles by the URL that a response contained. This URL may be the target of a
 * redirect (docs/decisions/0021).
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
