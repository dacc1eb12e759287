import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = [
  `CREATE TABLE picture_users (
    user_id bigint NOT NULL,
    changes bigint NOT NULL DEFAULT 1,
    handled bigint NOT NULL DEFAULT 0,
    version bigint NOT NULL DEFAULT 0,
    item_id bigint NOT NULL DEFAULT 0,
    page_ids bigint[] NOT NULL DEFAULT '{}',
    is_full boolean NOT NULL DEFAULT false,
    CONSTRAINT picture_users_pkey PRIMARY KEY (user_id),
    CONSTRAINT picture_users_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
  )`,
  `CREATE TABLE picture_shares (
    user_id bigint NOT NULL,
    picture_id bigint NOT NULL,
    bytes integer,
    is_counted boolean NOT NULL DEFAULT false,
    CONSTRAINT picture_shares_pkey PRIMARY KEY (user_id, picture_id),
    CONSTRAINT picture_shares_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
    CONSTRAINT picture_shares_picture_id_fkey FOREIGN KEY (picture_id) REFERENCES pictures (picture_id) ON DELETE CASCADE
  )`,
];

const INDEXES = [
  `CREATE INDEX picture_users_due_idx ON picture_users (user_id) WHERE changes <> handled`,
  `CREATE INDEX picture_users_full_idx ON picture_users (user_id) WHERE is_full`,
  `CREATE INDEX picture_shares_picture_id_idx ON picture_shares (picture_id)`,
  `CREATE INDEX picture_shares_wanted_idx ON picture_shares (user_id, picture_id) WHERE bytes IS NULL`,
  `CREATE INDEX picture_shares_uncounted_idx ON picture_shares (user_id, picture_id)
    WHERE bytes IS NOT NULL AND NOT is_counted`,
  // The pages of each user are listed, so no statement searches for all unlisted pages any more.
  `DROP INDEX pages_pictures_idx`,
];

/** Lets the present lists be followed from their beginning. */
const REGISTER_LISTS = `
  INSERT INTO picture_users (user_id) SELECT id FROM users WHERE id IN (SELECT user_id FROM lists)`;

/** Creates the tables that count stored pictures towards the storage limits of users (docs/decisions/0144). */
export class CountPictures1765605300000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, REGISTER_LISTS, ...INDEXES]) {
      await queryRunner.query(statement);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX pages_pictures_idx ON pages (page_id) WHERE fetched_at IS DISTINCT FROM pictures_at`,
    );
    await queryRunner.query(`DROP TABLE picture_shares, picture_users`);
    // The sizes of lists contain the sizes of pictures.
    await queryRunner.query(`UPDATE lists SET stored_bytes = NULL`);
  }
}
