import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

import { User } from './user.entity.js';

/** A device and an address from which a user has logged in. The row outlives the sessions. */
@Entity('known_logins')
export class KnownLogin {
  @PrimaryColumn('bigint')
  userId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn()
  user!: Relation<User>;

  /** SHA-256 of the device and the address. */
  @PrimaryColumn('bytea')
  origin!: Buffer;

  @Column('timestamptz', { default: () => 'now()' })
  lastUsedAt!: Date;
}
