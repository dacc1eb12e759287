import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEX = 'page_requests_retry_idx';

/**
 * Adds the priority to the index of page requests that are retried later, so that saved pages are retried before
 * imported pages.
 */
export class OrderPostponedPageRequests1763900200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX ${INDEX}`);
    await queryRunner.query(
      `CREATE INDEX ${INDEX} ON page_requests (priority, retry_at) WHERE page_id IS NULL AND retry_at IS NOT NULL`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX ${INDEX}`);
    await queryRunner.query(
      `CREATE INDEX ${INDEX} ON page_requests (retry_at) WHERE page_id IS NULL AND retry_at IS NOT NULL`,
    );
  }
}
