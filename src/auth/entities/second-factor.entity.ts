import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';

import { User } from './user.entity.js';

/** The authenticator app of a user, whose codes a login by password needs (RFC 6238). */
@Entity('second_factors')
export class SecondFactor {
  @PrimaryColumn('bigint')
  userId!: string;

  @OneToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn()
  user!: Relation<User>;

  /** What app and service share, encrypted with a key derived from the session secret. */
  @Column('text')
  secret!: string;

  /** The period of 30 seconds of the last code that was accepted: that code and earlier ones count no more. */
  @Column('integer')
  lastUsedStep!: number;

  @Column('timestamptz', { default: () => 'now()' })
  confirmedAt!: Date;
}
