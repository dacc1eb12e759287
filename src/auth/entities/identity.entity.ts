import {
  Column,
  Entity,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
  Unique,
} from 'typeorm';

import { User } from './user.entity.js';

/** Links a user to the person's account at an OpenID Connect issuer. */
@Entity('identities')
@Unique(['userId', 'issuer'])
export class Identity {
  /** The address that identifies the issuer (the claim `iss`). */
  @PrimaryColumn('text')
  issuer!: string;

  /**
   * The issuer's identifier for the person (the claim `sub`). An issuer never reuses an identifier for another person.
   */
  @PrimaryColumn('text')
  subject!: string;

  @Column('bigint')
  userId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn()
  user!: Relation<User>;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
