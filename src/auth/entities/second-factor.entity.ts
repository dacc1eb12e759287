import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';

import { User } from './user.entity.js';

/**
 * The authenticator app of a user. With an authenticator app, a login by password also needs a code
 * from this app (RFC 6238).
 */
@Entity('second_factors')
export class SecondFactor {
  @PrimaryColumn('bigint')
  userId!: string;

  @OneToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn()
  user!: Relation<User>;

  /**
   * The secret that the authenticator app and the service share, encrypted with a key that is derived from the session
   * secret.
   */
  @Column('text')
  secret!: string;

  /**
   * The number of the 30-second period to which the last accepted code belongs. Codes of this
   * period and of earlier periods are rejected.
   */
  @Column('integer')
  lastUsedStep!: number;

  @Column('timestamptz', { default: () => 'now()' })
  confirmedAt!: Date;
}
