import { Check, Column, Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import type { Origin } from '../entities/origin.js';

/**
 * The role of a user. Administrators have their own lists too, and also manage the installation.
 */
export enum Role {
  /** The user may administer the installation on the pages under /admin. */
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

  /** The email address in the canonical form that the function `canonicalEmail` returns. */
  @Column('text')
  email!: string;

  /** The hash of the password. Null for a user who logs in only with an issuer or through a proxy. */
  @Column('text', { nullable: true })
  passwordHash!: string | null;

  @Column('text', { default: Role.User })
  role!: Role;

  /** A number that a sign-out increases. Sessions and access tokens with a smaller number are rejected. */
  @Column('integer', { name: 'session_epoch', default: 0 })
  tokenVersion!: number;

  @Column('timestamptz', { nullable: true })
  disabledAt!: Date | null;

  /**
   * The time at which the email address was confirmed by a mailed link, an administrator, an issuer
   * or a proxy. Null for an unconfirmed address.
   */
  @Column('timestamptz', { nullable: true })
  emailVerifiedAt!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  /** The IANA time zone in which pages and mails show times to the user. Null for UTC. */
  @Column('text', { nullable: true })
  timeZone!: string | null;

  /** The date format that the user has chosen (platform/i18n/date-texts.ts). Null for the default format. */
  @Column('text', { nullable: true })
  dateFormat!: string | null;

  /** The language that the user has chosen (platform/i18n/languages.ts). Null for the language of the browser. */
  @Column('text', { nullable: true })
  language!: string | null;

  /** The language of the browser at the latest login. Null if the user has not logged in with a browser. */
  @Column('text', { nullable: true })
  browserLanguage!: string | null;

  /**
   * The browser or program from which the user acts in the current request. Undefined outside of requests, such as in
   * commands. It is not stored.
   */
  origin?: Origin;

  /** True if the user has entered a code of the second factor in the current request. It is not stored. */
  hasEnteredCode?: boolean;
}
