import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

import { User } from './user.entity.js';

/**
 * A device and a network address from which a user has logged in. The row stays after the session ends, so that another
 * login from the same device and address sends no notice.
 */
@Entity('known_logins')
export class KnownLogin {
  @PrimaryColumn('bigint')
  userId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn()
  user!: Relation<User>;

  /** The SHA-256 of the device name and the network address. */
  @PrimaryColumn('bytea')
  origin!: Buffer;

  @Column('timestamptz', { default: () => 'now()' })
  lastUsedAt!: Date;
}
