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

/** A passage of an article that the user has marked. */
@Entity('annotations')
@Index('annotations_item_idx', ['userId', 'itemId', 'createdAt'])
@Index('annotations_created_idx', ['userId', 'createdAt', 'annotationId'])
export class Annotation {
  @PrimaryColumn('bigint')
  userId!: string;

  /** Chosen by the client, a UUID as a rule. */
  @PrimaryColumn({ type: 'text', collation: 'C' })
  annotationId!: string;

  @Column('bigint')
  itemId!: string;

  @ManyToOne(() => Item, { onDelete: 'CASCADE' })
  @JoinColumn([
    {
      name: 'user_id',
      referencedColumnName: 'userId',
      foreignKeyConstraintName: 'annotations_item_id_fkey',
    },
    { name: 'item_id', referencedColumnName: 'itemId' },
  ])
  item!: Relation<Item>;

  @Column('text')
  quote!: string;

  /** Where it stands in the article: a diff that inserts marks around it. */
  @Column('text')
  patch!: string;

  @Column('text')
  version!: string;

  /** In unix seconds. */
  @Column('bigint')
  createdAt!: string;

  /** What the user has written about it. */
  @Column('text', { default: '' })
  note!: string;
}
