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

/** The maximum number of items per response that an administrator can allow for an application. */
export const LARGEST_PAGE = 5000;

/**
 * The response format of an application. The apps of the original Pocket need a separate format, because they do not
 * follow the specification of the v3 API exactly (docs/decisions/0012).
 */
export enum Dialect {
  /** Responses follow the specification of the v3 API exactly. */
  Standard = 'standard',
  /** Responses have the format that the apps and the extension of the original Pocket expect. */
  Classic = 'classic',
}

/** The credentials that a client sends with its calls. */
export enum KeyKind {
  /** The client sends a consumer key and an access token. */
  Key = 'key',
  /**
   * The client sends an application password, together with the email address of the user or a
   * login name.
   */
  Password = 'password',
  /**
   * The client logs in with a client id and a client secret to get tokens, as apps made for
   * wallabag do.
   */
  Client = 'client',
}

/** A client application: its name, its permissions, and the format of its responses. */
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
  /** The id of the key. A generated key begins with this id and a dash. */
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column('text')
  name!: string;

  @Column('text', { default: KeyKind.Key })
  kind!: KeyKind;

  /** The SHA-256 of the key. The key itself is shown once and not stored. */
  @Column('bytea')
  keyHash!: Buffer;

  /** The SHA-256 of the client secret, for apps made for wallabag. Null for keys of other kinds. */
  @Column('bytea', { nullable: true })
  secretHash!: Buffer | null;

  /**
   * The user name in lower case that a program may send with this application password instead of the email address.
   * Null if the password has no user name.
   */
  @Column('text', { nullable: true })
  loginName!: string | null;

  @Column('text', { array: true })
  permissions!: Permission[];

  @Column('text', { default: Dialect.Standard })
  dialect!: Dialect;

  /**
   * The maximum number of items per response. Null if the response format determines the number (docs/decisions/0039).
   */
  @Column('integer', { nullable: true })
  maxCount!: number | null;

  /**
   * The number of items in a response to a call without the parameter `count`. Null if the response
   * format determines the number.
   */
  @Column('integer', { nullable: true })
  defaultCount!: number | null;

  @Column('timestamptz', { nullable: true })
  disabledAt!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  /** The time from which on the key does not work any more. Null if it works until someone revokes it. */
  @Column('timestamptz', { nullable: true })
  expiresAt!: Date | null;

  /**
   * The only user for whom the key works. Null for an application that every user may authorize (docs/decisions/0068).
   */
  @Column('bigint', { nullable: true })
  ownerId!: string | null;

  @ManyToOne(() => User, { onDelete: 'CASCADE', nullable: true })
  @JoinColumn()
  owner!: Relation<User> | null;
}

/**
 * The numbers of items per response that are set for an application. A number that is not set comes
 * from the response format.
 */
export type PageSize = Pick<ConsumerKey, 'maxCount' | 'defaultCount'>;
