import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates a table of the events of lists, and a table of the subscribers that get them. Marks the lists whose events
 * are written (docs/decisions/0118).
 */
export class AddListEvents1765603720000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE lists ADD COLUMN has_subscribers boolean NOT NULL DEFAULT false`,
    );
    await queryRunner.query(`CREATE TABLE list_events (
      user_id bigint NOT NULL,
      sequence bigint NOT NULL,
      kind text NOT NULL,
      item_id bigint,
      annotation_id text,
      count integer,
      created_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT list_events_pkey PRIMARY KEY (user_id, sequence),
      CONSTRAINT list_events_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
    )`);
    await queryRunner.query(`CREATE TABLE event_subscriptions (
      user_id bigint NOT NULL,
      subscriber text NOT NULL,
      position bigint NOT NULL,
      failures integer NOT NULL DEFAULT 0,
      due_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT event_subscriptions_pkey PRIMARY KEY (user_id, subscriber),
      CONSTRAINT event_subscriptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
    )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE event_subscriptions`);
    await queryRunner.query(`DROP TABLE list_events`);
    await queryRunner.query(`ALTER TABLE lists DROP COLUMN has_subscribers`);
  }
}
