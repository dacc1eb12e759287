import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the table of the public pages of saved lists (docs/decisions/0120). */
export class CreatePublicLists1765603750000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE public_lists (
      user_id bigint NOT NULL,
      list_id uuid NOT NULL,
      address text NOT NULL,
      shows_notes boolean NOT NULL DEFAULT false,
      is_indexed boolean NOT NULL DEFAULT false,
      created_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT public_lists_pkey PRIMARY KEY (user_id, list_id),
      CONSTRAINT public_lists_address_key UNIQUE (address),
      CONSTRAINT public_lists_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
    )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE public_lists`);
  }
}
