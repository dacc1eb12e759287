import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';

import { User } from '../../auth/entities/user.entity.js';

/** The appearance settings of a user for the reader. The style sheets define the appearance for each value. */
@Entity('reader_preferences')
export class ReaderPreferences {
  @PrimaryColumn('bigint')
  userId!: string;

  @OneToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn()
  user!: Relation<User>;

  @Column('text', { default: 'auto' })
  theme!: string;

  @Column('text', { default: 'medium' })
  size!: string;

  @Column('text', { default: 'medium' })
  width!: string;

  @Column('text', { default: 'serif' })
  face!: string;

  @Column('text', { default: 'normal' })
  spacing!: string;

  /** The layout of the list. */
  @Column('text', { default: 'list' })
  layout!: string;

  @Column('text', { default: 'start' })
  alignment!: string;
}
