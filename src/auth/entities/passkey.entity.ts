import {
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryGeneratedColumn,
  type Relation,
  Unique,
} from 'typeorm';

import { User } from './user.entity.js';

/** A passkey (WebAuthn credential) with which a user logs in (docs/decisions/0132). */
@Entity('passkeys')
@Unique(['credentialId'])
@Index(['userId'])
export class Passkey {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column('bigint')
  userId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn()
  user!: Relation<User>;

  /** The identifier that the authenticator has chosen for the passkey. */
  @Column('bytea')
  credentialId!: Buffer;

  /** The public key in the format of COSE (RFC 9052). */
  @Column('bytea')
  publicKey!: Buffer;

  /** The number of uses that the authenticator last reported. Always 0 for authenticators that do not count. */
  @Column('bigint', { default: '0' })
  counter!: string;

  /** The ways in which browsers can reach the authenticator, such as `internal` or `usb`. */
  @Column('text', { array: true })
  transports!: string[];

  @Column('text')
  name!: string;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  lastUsedAt!: Date | null;
}
