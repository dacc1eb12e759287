import {
  Check,
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryGeneratedColumn,
  type Relation,
  Unique,
} from 'typeorm';

import { User } from '../../entities/user.entity.js';
import type { Permission } from '../permission.js';

/** The maximum number of items per page that an application can be allowed. */
export const LARGEST_PAGE = 5000;

/** The style of responses where the specification and the apps of the original Pocket differ (docs/decisions/0012). */
export enum Dialect {
  /** Responses exactly as in the specification. */
  Standard = 'standard',
  /** Responses as the apps and the extension of the original Pocket expect them. */
  Classic = 'classic',
}

/** The kind of credentials that a client sends. */
export enum KeyKind {
  /** A consumer key and an access token. */
  Key = 'key',
  /** An application password, together with the email address of its user or the login name. */
  Password = 'password',
  /** A client id and a client secret, with which a wallabag client logs in to get tokens. */
  Client = 'client',
}

/** A client application: its name, its permissions, and the style of its responses. */
@Entity('consumer_keys')
@Unique(['keyHash'])
@Unique('consumer_keys_login_name_key', ['loginName'])
@Index(['ownerId'])
@Check('consumer_keys_permissions_check', `permissions <@ '{retrieve,add,modify}'`)
@Check('consumer_keys_dialect_check', `dialect IN ('standard', 'classic')`)
@Check('consumer_keys_kind_check', `kind IN ('key', 'password', 'client')`)
@Check('consumer_keys_secret_check', `(kind = 'client') = (secret_hash IS NOT NULL)`)
@Check(
  'consumer_keys_login_name_check',
  `login_name IS NULL OR (kind = 'password' AND login_name ~ '^[a-z0-9_]{1,64}$')`,
)
@Check('consumer_keys_max_count_check', `max_count BETWEEN 1 AND 5000`)
@Check('consumer_keys_default_count_check', `default_count BETWEEN 1 AND max_count`)
export class ConsumerKey {
  /** The id, which is also the number before the dash in the key. */
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column('text')
  name!: string;

  @Column('text', { default: KeyKind.Key })
  kind!: KeyKind;

  /** The SHA-256 of the key. The key itself is shown once and not stored. */
  @Column('bytea')
  keyHash!: Buffer;

  /** The SHA-256 of the client secret. Null for the other kinds of keys. */
  @Column('bytea', { nullable: true })
  secretHash!: Buffer | null;

  /**
   * The user name, in lower case, that a program may send with the application password. Null if there is no login
   * name.
   */
  @Column('text', { nullable: true })
  loginName!: string | null;

  @Column('text', { array: true })
  permissions!: Permission[];

  @Column('text', { default: Dialect.Standard })
  dialect!: Dialect;

  /** The maximum number of items per page. Null if the dialect determines the number (docs/decisions/0039). */
  @Column('integer', { nullable: true })
  maxCount!: number | null;

  /** The number of items per page for a call that sends no count. Null if the dialect determines the number. */
  @Column('integer', { nullable: true })
  defaultCount!: number | null;

  @Column('timestamptz', { nullable: true })
  disabledAt!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  /** The owner of a personal key. Null for an application that every user may authorize (docs/decisions/0068). */
  @Column('bigint', { nullable: true })
  ownerId!: string | null;

  @ManyToOne(() => User, { onDelete: 'CASCADE', nullable: true })
  @JoinColumn()
  owner!: Relation<User> | null;
}

/** The page size of an application, which overrides the page size of its dialect. */
export type PageSize = Pick<ConsumerKey, 'maxCount' | 'defaultCount'>;
