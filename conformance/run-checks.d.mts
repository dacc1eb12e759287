/** A server, and who asks it. */
export interface Target {
  readonly base: string;
  readonly consumerKey: string;
  readonly accessToken: string;
  /** A request code to which a person has agreed. */
  readonly code?: string;
  readonly spendLimit: number;
}

/** A server of the wallabag API, with its base path, and who asks it. */
export interface WallabagTarget {
  readonly base: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly username: string;
  readonly password: string;
  /** How long the server may take for what it does after its answer. */
  readonly patienceMs?: number;
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

interface RunOptions {
  readonly only?: readonly string[];
  readonly onResult?: (result: CheckResult) => void;
}

/** Runs the checks one after the other; each gets pages of its own, which are deleted when it ends. */
export function runChecks(
  target: Target,
  options?: RunOptions & { readonly api?: 'v3' },
): Promise<Report>;
export function runChecks(
  target: WallabagTarget,
  options: RunOptions & { readonly api: 'wallabag' },
): Promise<Report>;
