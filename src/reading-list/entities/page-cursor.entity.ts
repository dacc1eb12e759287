import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * How many clients may ask for the page behind a cursor: one, or several; 0 where it was read, and may be asked for
 * again by a client that the answer has not reached; -1 where it was read and was the last.
 */
export type Readers = -1 | 0 | 1 | 2;

const AS_NUMBER = { to: (value: number): number => value, from: Number };

/** Where a page ended, for the client that asks for the next one (docs/decisions/0032). The table is unlogged. */
@Entity('page_cursors')
export class PageCursor {
  @PrimaryColumn('bigint')
  userId!: string;

  /** A hash of all that a call of get asks for but the page. */
  @PrimaryColumn('bytea')
  question!: Buffer;

  /** The offset at which the client asks for the next page. */
  @PrimaryColumn('bigint', { transformer: AS_NUMBER })
  pageOffset!: number;

  /** The version that the list had when the first page was read. */
  @PrimaryColumn('bigint', { transformer: AS_NUMBER })
  version!: number;

  /** In the bytes of query/item-order.ts. */
  @Column('bytea')
  position!: Buffer;

  /** Of the first page. */
  @Column('bigint', { transformer: AS_NUMBER })
  since!: number;

  /** The largest that any of the pages has shown. */
  @Column('integer')
  total!: number;

  @Column('smallint')
  readers!: Readers;

  @Column('timestamptz')
  notedAt!: Date;
}
