import {
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';

import { DeletedItem } from '../entities/deleted-item.entity.js';
import { Item } from '../entities/item.entity.js';

/** A page as the browser of the user has shown it (docs/decisions/0142). */
@Entity('snapshots')
@Index('snapshots_item_id_idx', ['userId', 'itemId'])
@Index('snapshots_trashed_item_id_idx', ['userId', 'trashedItemId'])
@Index('snapshots_created_at_idx', ['userId', 'createdAt', 'snapshotId'])
export class Snapshot {
  @PrimaryColumn('bigint')
  userId!: string;

  @PrimaryColumn('uuid')
  snapshotId!: string;

  /** The item in the list. Null if the item is in the trash. */
  @Column('bigint', { nullable: true })
  itemId!: string | null;

  @ManyToOne(() => Item, { onDelete: 'CASCADE' })
  @JoinColumn([
    {
      name: 'user_id',
      referencedColumnName: 'userId',
      foreignKeyConstraintName: 'snapshots_item_id_fkey',
    },
    { name: 'item_id', referencedColumnName: 'itemId' },
  ])
  item!: Relation<Item>;

  /** The item in the trash. Null if the item is in the list. */
  @Column('bigint', { nullable: true })
  trashedItemId!: string | null;

  @ManyToOne(() => DeletedItem, { onDelete: 'CASCADE' })
  @JoinColumn([
    {
      name: 'user_id',
      referencedColumnName: 'userId',
      foreignKeyConstraintName: 'snapshots_trashed_item_id_fkey',
    },
    { name: 'trashed_item_id', referencedColumnName: 'itemId' },
  ])
  trashedItem!: Relation<DeletedItem>;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  /** The compressed HTML, as the client has sent it. It must be sanitized before it is shown. */
  @Column('bytea')
  html!: Buffer;

  /** The size that counts towards the storage limit: the compressed HTML and a fixed part. */
  @Column('integer')
  bytes!: number;
}
