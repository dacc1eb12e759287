import { execFile } from 'node:child_process';
import process from 'node:process';

import type { CheckResult } from '../../conformance/run-checks.mjs';

interface ConformanceRun {
  readonly status: number;
  readonly output: string;
}

/** Runs the program as users do. */
export const conformance = (...args: readonly string[]): Promise<ConformanceRun> =>
  new Promise((resolve) => {
    execFile(process.execPath, ['conformance/run.mjs', ...args], (error, stdout, stderr) => {
      resolve({ status: Number(error?.code ?? 0), output: stdout + stderr });
    });
  });

export const resultsOf = ({ output }: ConformanceRun): CheckResult[] =>
  (JSON.parse(output) as { results: CheckResult[] }).results;
