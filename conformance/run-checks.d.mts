/** A server, and who asks it. */
export interface Target {
  readonly base: string;
  readonly consumerKey: string;
  readonly accessToken: string;
  /** A request code to which a person has agreed. */
  readonly code?: string;
  readonly spendLimit: number;
}

export interface CheckResult {
  readonly name: string;
  readonly rule: string;
  readonly says: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly reason?: string;
}

export interface Report {
  readonly results: readonly CheckResult[];
  /** Pages of the run that could not be deleted. */
  readonly left: number;
}

/** Runs the checks one after the other; each gets pages of its own, which are deleted when it ends. */
export function runChecks(
  target: Target,
  options?: {
    readonly only?: readonly string[];
    readonly onResult?: (result: CheckResult) => void;
  },
): Promise<Report>;
