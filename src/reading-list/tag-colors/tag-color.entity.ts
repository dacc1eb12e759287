import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

import type { TagColorName } from '../../lib/util/tag-color.js';
import { List } from '../entities/list.entity.js';

/**
 * The color of a tag. The row stays if the last item loses the tag, so the color returns with the tag
 * (docs/decisions/0111).
 */
@Entity('tag_colors')
export class TagColor {
  @PrimaryColumn('bigint')
  userId!: string;

  @ManyToOne(() => List, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  list!: Relation<List>;

  @PrimaryColumn('bigint')
  tagId!: string;

  @Column('text')
  color!: TagColorName;
}
