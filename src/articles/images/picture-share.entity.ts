import {
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';

import { User } from '../../auth/entities/user.entity.js';
import { Picture } from './picture.entity.js';

/** A picture in the articles of a user. Its whole size counts towards the storage limit of the user. */
@Entity('picture_shares')
@Index('picture_shares_wanted_idx', ['userId', 'pictureId'], { where: 'bytes IS NULL' })
@Index('picture_shares_uncounted_idx', ['userId', 'pictureId'], {
  where: 'bytes IS NOT NULL AND NOT is_counted',
})
export class PictureShare {
  @PrimaryColumn('bigint')
  userId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  user!: Relation<User>;

  @Index()
  @PrimaryColumn('bigint')
  pictureId!: string;

  @ManyToOne(() => Picture, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'picture_id' })
  picture!: Relation<Picture>;

  /** The size of the stored picture. Null until the picture is stored. */
  @Column('integer', { nullable: true })
  bytes!: number | null;

  /** True if the stored size of the list includes the picture. */
  @Column('boolean', { default: false })
  isCounted!: boolean;
}
