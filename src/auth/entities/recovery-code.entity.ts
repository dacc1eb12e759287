import { Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

import { SecondFactor } from './second-factor.entity.js';

/** A code that replaces a code of the authenticator app once. */
@Entity('recovery_codes')
export class RecoveryCode {
  @PrimaryColumn('bigint')
  userId!: string;

  @ManyToOne(() => SecondFactor, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  secondFactor!: Relation<SecondFactor>;

  /** SHA-256 of the code. The code itself is not stored. */
  @PrimaryColumn('bytea')
  codeHash!: Buffer;
}
