import {
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';

import { Item, type ItemMedia } from './item.entity.js';

/**
 * Details of the page of an item that a client sent. They win over the values of the page (docs/decisions/0094). A
 * column is null if the client did not send it.
 */
@Entity('item_details')
@Index('item_details_public_idx', ['userId', 'itemId'], { where: 'uid IS NOT NULL' })
export class ItemDetails {
  @PrimaryColumn('bigint')
  userId!: string;

  @PrimaryColumn('bigint')
  itemId!: string;

  @ManyToOne(() => Item, { onDelete: 'CASCADE' })
  @JoinColumn([
    {
      name: 'user_id',
      referencedColumnName: 'userId',
      foreignKeyConstraintName: 'item_details_item_id_fkey',
    },
    { name: 'item_id', referencedColumnName: 'itemId' },
  ])
  item!: Relation<Item>;

  /** The URL at which the user found the link. */
  @Column('text', { nullable: true })
  originUrl!: string | null;

  /** The time of publication in unix seconds. It is negative before 1970. */
  @Column('bigint', { nullable: true })
  publishedAt!: string | null;

  @Column('json', { nullable: true })
  authors!: ItemMedia['authors'] | null;

  /** The language of the page, as a tag such as `de-AT`. */
  @Column('text', { nullable: true })
  language!: string | null;

  @Column('text', { nullable: true })
  previewPicture!: string | null;

  /** The random name of the item's public link. It is null if the item is not public. */
  @Column('text', { nullable: true })
  uid!: string | null;
}
