import {
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';

import { Item } from './item.entity.js';

/**
 * The public link of an item. Deleting the item deletes the row, so a restored item is private (docs/decisions/0117).
 */
@Entity('shared_items')
@Index('shared_items_access_id_idx', ['accessId'])
export class SharedItem {
  @PrimaryColumn('bigint')
  userId!: string;

  @PrimaryColumn('bigint')
  itemId!: string;

  @ManyToOne(() => Item, { onDelete: 'CASCADE' })
  @JoinColumn([
    {
      name: 'user_id',
      referencedColumnName: 'userId',
      foreignKeyConstraintName: 'shared_items_item_id_fkey',
    },
    { name: 'item_id', referencedColumnName: 'itemId' },
  ])
  item!: Relation<Item>;

  /** The stored part of the public link, without its signature (sharing/share-tokens.ts). */
  @Column('bytea')
  accessId!: Buffer;

  /** True if the public page shows the user's note about the item. */
  @Column('boolean', { default: false })
  includesNote!: boolean;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  /** The time at which the link stops working. Null if it works until the user revokes it. */
  @Column('timestamptz', { nullable: true })
  expiresAt!: Date | null;
}
