import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `ALTER TABLE page_requests ADD COLUMN retry_at timestamptz`,
  `UPDATE page_requests SET retry_at = pages.retry_at FROM pages
   WHERE pages.page_key = page_requests.page_key AND pages.retry_at > now()`,
  `DROP INDEX page_requests_queue_idx`,
  `CREATE INDEX page_requests_queue_idx ON page_requests (priority, turn, requested_at)
   WHERE page_id IS NULL AND retry_at IS NULL`,
  `CREATE INDEX page_requests_retry_idx ON page_requests (retry_at) WHERE page_id IS NULL AND retry_at IS NOT NULL`,
];

const DOWN = [
  `DROP INDEX page_requests_retry_idx, page_requests_queue_idx`,
  `ALTER TABLE page_requests DROP COLUMN retry_at`,
  `CREATE INDEX page_requests_queue_idx ON page_requests (priority, turn, requested_at) WHERE page_id IS NULL`,
];

/**
 * Adds a separate index for page requests that are retried later, so that the index of due page
 * requests does not contain them (docs/decisions/0046).
 */
export class PostponePageRequests1763900100000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) {
      await queryRunner.query(statement);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) {
      await queryRunner.query(statement);
    }
  }
}
