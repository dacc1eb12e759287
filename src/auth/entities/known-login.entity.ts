import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

import { User } from './user.entity.js';

/**
 * A device and a network address from which a user has logged in. The row outlives the session, so
 * that the next login from there sends no notice.
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
