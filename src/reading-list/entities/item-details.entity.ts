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
import type { ItemMedia } from './page-columns.js';

/**
 * Data that clients have sent about the page of an item. They replace the values from the page itself
 * (docs/decisions/0094). A column is null if no client has sent it.
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

  /** The URL of the page on which the user found the link. */
  @Column('text', { nullable: true })
  originUrl!: string | null;

  /** The time of publication in Unix seconds. It is negative for times before 1970. */
  @Column('bigint', { nullable: true })
  publishedAt!: string | null;

  @Column('json', { nullable: true })
  authors!: ItemMedia['authors'] | null;

  /** The language of the page, as a tag such as `de-AT`. */
  @Column('text', { nullable: true })
  language!: string | null;

  @Column('text', { nullable: true })
  previewPicture!: string | null;

  /** Not used any more. Servers of an earlier version write the column while the service is updated (decision 0117). */
  @Column('text', { nullable: true })
  uid!: string | null;
}
