import { Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

import { SavedList } from './saved-list.entity.js';

/**
 * An item that a digest of a saved list has contained. The row stays if the item is deleted, so that a restored item is
 * not sent again.
 */
@Entity('list_digest_items')
export class ListDigestItem {
  @PrimaryColumn('bigint')
  userId!: string;

  @PrimaryColumn('uuid')
  listId!: string;

  @ManyToOne(() => SavedList, { onDelete: 'CASCADE' })
  @JoinColumn([
    {
      name: 'user_id',
      referencedColumnName: 'userId',
      foreignKeyConstraintName: 'list_digest_items_list_id_fkey',
    },
    { name: 'list_id', referencedColumnName: 'id' },
  ])
  list!: Relation<SavedList>;

  @PrimaryColumn('bigint')
  itemId!: string;
}
