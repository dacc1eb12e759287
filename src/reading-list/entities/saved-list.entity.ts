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

/** The text of the items in the feed of a saved list: only the excerpt, or the whole article. */
export type ListFeed = 'excerpts' | 'articles';

/** A view of the list that a user has saved under a name (docs/decisions/0119). */
@Entity('saved_lists')
@Index('saved_lists_name_key', ['userId', 'nameKey'], {
  unique: true,
  where: 'deleted_at IS NULL',
})
export class SavedList {
  @PrimaryColumn('bigint')
  userId!: string;

  @ManyToOne(() => List, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  list!: Relation<List>;

  @PrimaryColumn('uuid', { default: () => 'gen_random_uuid()' })
  id!: string;

  /** The name as the user has typed it. */
  @Column('text')
  name!: string;

  /** The name for comparisons that ignore case. */
  @Column('text')
  nameKey!: string;

  /** The parameters of the view by name, such as `{ "tag": "rivers" }` (reading-list/views/view-params.ts). */
  @Column('jsonb')
  conditions!: Readonly<Record<string, string>>;

  /** The place of the list among the lists of the user. The first list has the lowest number. */
  @Column('integer')
  place!: number;

  /** True if the list page links to the list. */
  @Column('boolean', { default: false })
  isPinned!: boolean;

  /** Null if the list has no feed. */
  @Column('text', { nullable: true })
  feed!: ListFeed | null;

  /** True if the catalogue for e-readers contains the list. */
  @Column('boolean', { default: false })
  isShelf!: boolean;

  /** The time at which the user deleted the list. A deleted list can be restored for an hour. */
  @Column('timestamptz', { nullable: true })
  deletedAt!: Date | null;
}
