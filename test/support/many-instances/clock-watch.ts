/** The clocks of a service and its database. */
export interface ClockState {
  /** How often a clock was set. */
  readonly sets: number;
  /** True if all clocks are right. */
  readonly areRight: boolean;
}

const ALWAYS_RIGHT: ClockState = { sets: 0, areRight: true };

/** Watches the clocks from its creation on. */
export class ClockWatch {
  private readonly first: ClockState;

  constructor(private readonly current: () => ClockState = () => ALWAYS_RIGHT) {
    this.first = current();
  }

  /** True if the clocks have been right all the time. */
  get wasRight(): boolean {
    return this.first.areRight && this.current().sets === this.first.sets;
  }
}

/** A token that expires. */
export interface Issued {
  /** Watches the clocks from the request for the token on. */
  readonly issuing: ClockWatch;
  /** True if the clocks were right while the token was issued, so it must work while they are right. */
  readonly isIssuedRight: boolean;
}

export const issuedDuring = (issuing: ClockWatch): Issued => ({
  issuing,
  isIssuedRight: issuing.wasRight,
});
