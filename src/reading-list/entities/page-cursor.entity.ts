import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * Which clients may request the page after a cursor. 1: one client. 2: several clients. 0: the page was read, and may
 * be requested again if the response was lost. -1: the page was read and was the last one.
 */
export type Readers = -1 | 0 | 1 | 2;

const AS_NUMBER = { to: (value: number): number => value, from: Number };

/**
 * The end of a page of a list, from which the client requests the next page (docs/decisions/0032). The table is
 * unlogged.
 */
@Entity('page_cursors')
export class PageCursor {
  @PrimaryColumn('bigint')
  userId!: string;

  /** A hash of all parameters of a `get` call except those of the page. */
  @PrimaryColumn('bytea')
  question!: Buffer;

  /** The offset at which the client asks for the next page. */
  @PrimaryColumn('bigint', { transformer: AS_NUMBER })
  pageOffset!: number;

  /** The version that the list had when the first page was read. */
  @PrimaryColumn('bigint', { transformer: AS_NUMBER })
  version!: number;

  /** Encoded by query/item-order.ts. */
  @Column('bytea')
  position!: Buffer;

  /** The `since` of the first page. */
  @Column('bigint', { transformer: AS_NUMBER })
  since!: number;

  /** The largest `total` that any of the pages has shown. */
  @Column('integer')
  total!: number;

  @Column('smallint')
  readers!: Readers;

  @Column('timestamptz')
  notedAt!: Date;
}
