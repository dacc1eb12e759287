import { Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

import { SecondFactor } from './second-factor.entity.js';

/** A code that works once instead of a code from the authenticator app. */
@Entity('recovery_codes')
export class RecoveryCode {
  @PrimaryColumn('bigint')
  userId!: string;

  @ManyToOne(() => SecondFactor, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  secondFactor!: Relation<SecondFactor>;

  /** The SHA-256 of the code. The code itself is not stored. */
  @PrimaryColumn('bytea')
  codeHash!: Buffer;
}
