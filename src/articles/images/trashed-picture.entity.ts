import { Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

import { User } from '../../auth/entities/user.entity.js';
import { Picture } from './picture.entity.js';

/**
 * A picture in the private page of an item in the trash. The page itself is deleted, so this row keeps the picture until
 * the item is restored or leaves the trash.
 */
@Entity('trashed_pictures')
export class TrashedPicture {
  @PrimaryColumn('bigint')
  userId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  user!: Relation<User>;

  @PrimaryColumn('bigint')
  itemId!: string;

  @Index()
  @PrimaryColumn('bigint')
  pictureId!: string;

  @ManyToOne(() => Picture, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'picture_id' })
  picture!: Relation<Picture>;
}
