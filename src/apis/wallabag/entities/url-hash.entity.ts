import { Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

import { List } from '../../../reading-list/entities/list.entity.js';

/**
 * That an item may have a URL with this hash. What is written stays, also when the item is gone or lies elsewhere: what
 * is found here is compared with the item.
 */
@Entity('url_hashes')
export class UrlHash {
  @PrimaryColumn('bigint')
  userId!: string;

  @ManyToOne(() => List, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  list!: Relation<List>;

  /** The first eight bytes of the SHA-1 of a URL, as a signed number. */
  @PrimaryColumn('bigint')
  hash!: string;

  @PrimaryColumn('bigint')
  itemId!: string;
}
