import { Column, Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

/**
 * A picture of stored pages. All pages and users share the pictures with the same address. Pictures without an image
 * form the queue of pictures to fetch.
 */
@Entity('pictures')
@Unique(['urlKey'])
@Index('pictures_due_idx', ['dueAt'], { where: 'due_at IS NOT NULL' })
@Index('pictures_host_idx', ['host', 'dueAt'], { where: 'due_at IS NOT NULL' })
@Index('pictures_leased_idx', ['host'], { where: 'leased_until IS NOT NULL' })
export class Picture {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  pictureId!: string;

  /** The SHA-256 of the address. */
  @Column('bytea')
  urlKey!: Buffer;

  @Column('text')
  url!: string;

  @Column('text')
  host!: string;

  /** The converted picture. Null until the picture is fetched. */
  @Column('bytea', { nullable: true })
  image!: Buffer | null;

  /** The number of attempts to fetch the picture. */
  @Column('smallint', { default: 0 })
  attempts!: number;

  /** The time of the next attempt to fetch the picture. Null if the picture is stored or was given up. */
  @Column('timestamptz', { nullable: true })
  dueAt!: Date | null;

  /** The end of the lease. Until this time, no other worker may fetch the picture. */
  @Column('timestamptz', { nullable: true })
  leasedUntil!: Date | null;
}
