import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * Who may ask for the page behind a cursor. 1: one client. 2: several clients. 0: the page was read, and may be asked
 * for again if the answer was lost. -1: the page was read and was the last.
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
