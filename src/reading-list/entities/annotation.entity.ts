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

import { DEFAULT_HIGHLIGHT_COLOR, type HighlightColor } from '../../lib/util/highlight-color.js';
import { Item } from './item.entity.js';

/**
 * A range of characters in an article. `start` and `end` are XPaths of elements, relative to the
 * article. The offsets are positions in the text of these elements.
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

  /** The id of the annotation, usually a UUID. The client chooses it. */
  @PrimaryColumn({ type: 'text', collation: 'C' })
  annotationId!: string;

  /** A second id of at most 31 bits, for clients that do not support long ids (docs/decisions/0069). */
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

  /** The position of the quote in the article, as a diff that inserts marks before and after the quote. */
  @Column('text')
  patch!: string;

  @Column('text')
  version!: string;

  /**
   * The position of the quote in the article, in the format of the wallabag API. Null for annotations of other clients.
   */
  @Column('json', { nullable: true })
  ranges!: readonly AnnotationRange[] | null;

  /** The creation time in Unix seconds. */
  @Column('bigint')
  createdAt!: string;

  /** The time at which the note was last written, in Unix seconds. */
  @Column('bigint')
  updatedAt!: string;

  /** The note of the user on the highlight. */
  @Column('text', { default: '' })
  note!: string;

  /** The color in which the reader shows the highlight. */
  @Column('text', { default: DEFAULT_HIGHLIGHT_COLOR })
  color!: HighlightColor;
}
