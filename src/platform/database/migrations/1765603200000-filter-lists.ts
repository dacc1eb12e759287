import type { MigrationInterface, QueryRunner } from 'typeorm';

const ADDED = 'items (user_id, added_order, item_id) INCLUDE (facet, stamp, time_updated';

/** The index by time of addition also contains the columns by which the reader filters a list. */
const INDEX = `CREATE INDEX items_added_idx ON ${ADDED}, word_count, lang, is_pdf, fetch_failed)`;
const FORMER_INDEX = `CREATE INDEX items_added_idx ON ${ADDED})`;

const FIND_PDFS = `
  SELECT page_id FROM pages WHERE content->'facts'->>'mimeType' = 'application/pdf'`;
const MARK_PDFS = `UPDATE items SET is_pdf = 1 WHERE resolved_id = ANY ($1::bigint[])`;

const MARK_FAILED = `UPDATE items SET fetch_failed = 1 WHERE resolved_id = 0`;
const AT_ONCE = 10_000;
const FIND_WAITING = `
  SELECT user_id, item_id FROM page_requests WHERE (user_id, item_id) > ($1::bigint, $2::bigint)
  ORDER BY user_id, item_id LIMIT ${AT_ONCE}`;
const UNMARK_WAITING = `
  UPDATE items SET fetch_failed = 0 FROM unnest($1::bigint[], $2::bigint[]) waiting (user_id, item_id)
  WHERE items.user_id = waiting.user_id AND items.item_id = waiting.item_id`;

interface ItemKey {
  readonly user_id: string;
  readonly item_id: string;
}

/**
 * Adds columns that show which items are PDF documents, and whose pages could not be fetched
 * (docs/decisions/0107). Items and pages may be on different database servers, so no statement joins
 * them.
 */
export class FilterLists1765603200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE items ADD COLUMN is_pdf smallint NOT NULL DEFAULT 0,
      ADD COLUMN fetch_failed smallint NOT NULL DEFAULT 0`);
    await queryRunner.query(`DROP INDEX items_added_idx`);
    await markPdfs(queryRunner);
    await markFailed(queryRunner);
    await queryRunner.query(INDEX);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX items_added_idx`);
    await queryRunner.query(`ALTER TABLE items DROP COLUMN is_pdf, DROP COLUMN fetch_failed`);
    await queryRunner.query(FORMER_INDEX);
  }
}

async function markPdfs({ manager }: QueryRunner): Promise<void> {
  const pages = await manager.query<{ page_id: string }[]>(FIND_PDFS);
  if (pages.length > 0) {
    await manager.query(MARK_PDFS, [pages.map(({ page_id: pageId }) => pageId)]);
  }
}

/** Marks the items without a page, except those whose page is still queued. */
async function markFailed({ manager }: QueryRunner): Promise<void> {
  await manager.query(MARK_FAILED);
  let last: ItemKey | undefined = { user_id: '0', item_id: '0' };
  while (last !== undefined) {
    const waiting: ItemKey[] = await manager.query(FIND_WAITING, [last.user_id, last.item_id]);
    const users = waiting.map(({ user_id: userId }) => userId);
    const items = waiting.map(({ item_id: itemId }) => itemId);
    await manager.query(UNMARK_WAITING, [users, items]);
    last = waiting.at(-1);
  }
}
