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

  /** The secret of the app and the service, encrypted with a key derived from the session secret. */
  @Column('text')
  secret!: string;

  /** The 30-second period of the last accepted code. That code and earlier ones are rejected from then on. */
  @Column('integer')
  lastUsedStep!: number;

  @Column('timestamptz', { default: () => 'now()' })
  confirmedAt!: Date;
}
