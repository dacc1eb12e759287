/** An active second factor. */
export interface SecondFactorCard {
  readonly since: Date;
  readonly recoveryCodesLeft: number;
}
