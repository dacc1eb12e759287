import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A challenge of a passkey that was answered correctly. Its row prevents a second use until the challenge expires. */
@Entity('spent_challenges')
@Index(['expiresAt'])
export class SpentChallenge {
  /** The SHA-256 of the challenge. */
  @PrimaryColumn('bytea')
  hash!: Buffer;

  @Column('timestamptz')
  expiresAt!: Date;
}
