import { Check, Column, Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** A user's rights in addition to the use of a private list. */
export enum Role {
  /** Administers the installation at /admin. */
  Administrator = 'administrator',
  User = 'user',
}

/** A person with an account. */
@Entity('users')
@Unique(['email'])
@Check('users_role_check', `role IN ('administrator', 'user')`)
export class User {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column('text')
  name!: string;

  /** The address in its canonical form (email-address.ts). */
  @Column('text')
  email!: string;

  /** Null for a user who logs in only with an issuer or through a proxy. */
  @Column('text', { nullable: true })
  passwordHash!: string | null;

  @Column('text', { default: Role.User })
  role!: Role;

  /** Sessions and access tokens of an earlier version are rejected. */
  @Column('integer', { name: 'session_epoch', default: 0 })
  tokenVersion!: number;

  @Column('timestamptz', { nullable: true })
  disabledAt!: Date | null;

  /** Null until the address is verified: by a link, an administrator, an issuer or a proxy. */
  @Column('timestamptz', { nullable: true })
  emailVerifiedAt!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
