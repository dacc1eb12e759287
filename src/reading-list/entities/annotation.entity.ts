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

/**
 * A range of characters in an article. XPaths relative to the article select the elements, and offsets select the text
 * in them.
 */
export interface AnnotationRange {
  readonly start: string;
  readonly startOffset: number;
  readonly end: string;
  readonly endOffset: number;
}

/** A highlight of a user in an article. */
@Entity('annotations')
@Unique(['userId', 'number'])
@Index('annotations_item_idx', ['userId', 'itemId', 'createdAt'])
@Index('annotations_created_idx', ['userId', 'createdAt', 'annotationId'])
export class Annotation {
  @PrimaryColumn('bigint')
  userId!: string;

  /** The id of the annotation. The client chooses the id, usually a UUID. */
  @PrimaryColumn({ type: 'text', collation: 'C' })
  annotationId!: string;

  /** The id for clients with ids of 31 bits (docs/decisions/0069). */
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

  /** The position of the quote in the article, as a diff that inserts marks around the quote. */
  @Column('text')
  patch!: string;

  @Column('text')
  version!: string;

  /**
   * The position of the quote in the article, in the format of the wallabag API. Null for annotations of other clients.
   */
  @Column('json', { nullable: true })
  ranges!: readonly AnnotationRange[] | null;

  /** The time of creation in unix seconds. */
  @Column('bigint')
  createdAt!: string;

  /** The time when the note was last written, in unix seconds. */
  @Column('bigint')
  updatedAt!: string;

  /** The note of the user on the highlight. */
  @Column('text', { default: '' })
  note!: string;
}
