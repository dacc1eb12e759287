import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A tag that at least one item of the user carries. */
@Entity('tags', { synchronize: false })
export class Tag {
  @PrimaryColumn('bigint')
  userId!: string;

  /** A hash of the name without case (tag-name.ts). */
  @PrimaryColumn('bigint')
  tagId!: string;

  /** As it was first written. */
  @Column('text')
  name!: string;

  @Column('integer')
  itemCount!: number;
}
