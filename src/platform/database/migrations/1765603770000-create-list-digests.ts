import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the tables of the digests of saved lists (docs/decisions/0122). */
export class CreateListDigests1765603770000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE list_digests (
      user_id bigint NOT NULL,
      list_id uuid NOT NULL,
      target text NOT NULL,
      minute_of_day smallint NOT NULL,
      time_zone text NOT NULL,
      weekdays smallint[] NOT NULL,
      most_items smallint NOT NULL,
      next_at timestamptz,
      claim_id uuid,
      attempts smallint NOT NULL DEFAULT 0,
      is_given_up boolean NOT NULL DEFAULT false,
      last_sent_at timestamptz,
      last_count smallint NOT NULL DEFAULT 0,
      last_failed_at timestamptz,
      last_error text NOT NULL DEFAULT '',
      CONSTRAINT list_digests_pkey PRIMARY KEY (user_id, list_id),
      CONSTRAINT list_digests_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
      CONSTRAINT list_digests_target_check CHECK (target IN ('email', 'e-reader')),
      CONSTRAINT list_digests_time_check CHECK (minute_of_day BETWEEN 0 AND 1439),
      CONSTRAINT list_digests_weekdays_check CHECK (weekdays <@ '{1,2,3,4,5,6,7}'),
      CONSTRAINT list_digests_most_items_check CHECK (most_items BETWEEN 1 AND 100)
    )`);
    await queryRunner.query(
      `CREATE INDEX list_digests_due_idx ON list_digests (next_at) WHERE next_at IS NOT NULL`,
    );
    await queryRunner.query(`CREATE TABLE list_digest_items (
      user_id bigint NOT NULL,
      list_id uuid NOT NULL,
      item_id bigint NOT NULL,
      CONSTRAINT list_digest_items_pkey PRIMARY KEY (user_id, list_id, item_id),
      CONSTRAINT list_digest_items_list_id_fkey FOREIGN KEY (user_id, list_id)
        REFERENCES saved_lists (user_id, id) ON DELETE CASCADE
    )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE list_digest_items`);
    await queryRunner.query(`DROP TABLE list_digests`);
  }
}
