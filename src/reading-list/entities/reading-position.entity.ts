import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

import { Item } from './item.entity.js';

/** The position up to which the user has read the article of an item. */
@Entity('reading_positions')
export class ReadingPosition {
  @PrimaryColumn('bigint')
  userId!: string;

  @PrimaryColumn('bigint')
  itemId!: string;

  @ManyToOne(() => Item, { onDelete: 'CASCADE' })
  @JoinColumn([
    {
      name: 'user_id',
      referencedColumnName: 'userId',
      foreignKeyConstraintName: 'reading_positions_item_id_fkey',
    },
    { name: 'item_id', referencedColumnName: 'itemId' },
  ])
  item!: Relation<Item>;

  /** The part of the article that the user has read, as a number from 0 (the beginning) to 1 (the end). */
  @Column('real')
  fraction!: number;

  /** The paragraph at the top of the screen, counted from 0. Null if only the fraction is known. */
  @Column('integer', { nullable: true })
  paragraph!: number | null;

  /**
   * The time at which the user reached the position, by the clock of the device. It is never later than the time at
   * which the service received it.
   */
  @Column('timestamptz')
  updatedAt!: Date;
}
