import {
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';

import { List } from './list.entity.js';

/**
 * A copy of those columns of an item that are needed to search and sort a list. It exists only for
 * lists that are large enough to need a search index.
 */
@Entity('item_search')
@Index('item_search_added_idx', ['userId', 'addedOrder', 'itemId'])
@Index('item_search_title_idx', ['userId', 'titleKey', 'itemId'])
@Index('item_search_site_idx', ['userId', 'urlKey', 'itemId'])
export class ItemSearch {
  @PrimaryColumn('bigint')
  userId!: string;

  @ManyToOne(() => List, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  list!: Relation<List>;

  @PrimaryColumn('bigint')
  itemId!: string;

  @Column('bigint')
  addedOrder!: string;

  @Column({ type: 'text', collation: 'C' })
  titleKey!: string;

  @Column({ type: 'text', collation: 'C' })
  urlKey!: string;

  @Column({ type: 'text', collation: 'C' })
  searchText!: string;
}
