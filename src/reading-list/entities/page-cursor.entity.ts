import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The number of clients that have yet to request the page after a cursor. 1: one client. 2: several
 * clients. 0: none, but the client may repeat its request. -1: none, and the page was the last page
 * of the list.
 */
export type Readers = -1 | 0 | 1 | 2;

const AS_NUMBER = { to: (value: number): number => value, from: Number };

/**
 * The stored end of one page of a list (a cursor), at which the client's next page begins
 * (docs/decisions/0032). The table is unlogged, so a crash of the database deletes the rows.
 */
@Entity('page_cursors')
export class PageCursor {
  @PrimaryColumn('bigint')
  userId!: string;

  /** A hash of the consumer key, the filters and the sort order of a list request. */
  @PrimaryColumn('bytea')
  question!: Buffer;

  /** The offset with which the client requests the next page. */
  @PrimaryColumn('bigint', { transformer: AS_NUMBER })
  pageOffset!: number;

  /** The version of the list when the client read the first page. */
  @PrimaryColumn('bigint', { transformer: AS_NUMBER })
  version!: number;

  /** The position of the last row of the page, as encoded by query/item-order.ts. */
  @Column('bytea')
  position!: Buffer;

  /** The value of `since` in the response with the client's first page. */
  @Column('bigint', { transformer: AS_NUMBER })
  since!: number;

  /** The largest value of `total` in the responses so far. */
  @Column('integer')
  total!: number;

  @Column('smallint')
  readers!: Readers;

  @Column('timestamptz')
  notedAt!: Date;
}
