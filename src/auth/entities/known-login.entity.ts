import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

import { User } from './user.entity.js';

/** A device and a network address from which a user has logged in. The row remains when the sessions end. */
@Entity('known_logins')
export class KnownLogin {
  @PrimaryColumn('bigint')
  userId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn()
  user!: Relation<User>;

  /** The SHA-256 of the device and the address. */
  @PrimaryColumn('bytea')
  origin!: Buffer;

  @Column('timestamptz', { default: () => 'now()' })
  lastUsedAt!: Date;
}
