import {
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
  Unique,
} from 'typeorm';

import { Item } from './item.entity.js';

/** From one character to another: XPaths below the article, and offsets in the text of what they name. */
export interface AnnotationRange {
  readonly start: string;
  readonly startOffset: number;
  readonly end: string;
  readonly endOffset: number;
}

/** A passage of an article that the user has marked. */
@Entity('annotations')
@Unique(['userId', 'number'])
@Index('annotations_item_idx', ['userId', 'itemId', 'createdAt'])
@Index('annotations_created_idx', ['userId', 'createdAt', 'annotationId'])
export class Annotation {
  @PrimaryColumn('bigint')
  userId!: string;

  /** Chosen by the client, a UUID as a rule. */
  @PrimaryColumn({ type: 'text', collation: 'C' })
  annotationId!: string;

  /** By which clients know it that hold ids of 31 bits (docs/decisions/0069). */
  @Column('integer')
  number!: number;

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

  /** Where it stands in the article, as clients of the wallabag API tell it; null for annotations of other clients. */
  @Column('json', { nullable: true })
  ranges!: readonly AnnotationRange[] | null;

  /** In unix seconds. */
  @Column('bigint')
  createdAt!: string;

  /** In unix seconds: when its note was last written. */
  @Column('bigint')
  updatedAt!: string;

  /** What the user has written about it. */
  @Column('text', { default: '' })
  note!: string;
}
