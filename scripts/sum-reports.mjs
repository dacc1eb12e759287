// Adds Jest's JSON reports up and prints `N passed, N failed`. A step that failed without a failed test, such as
// lint or a run that wrote no report, counts as one failure; no passed test at all is a failure.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2];
const reports = readdirSync(folder).map((name) =>
  JSON.parse(readFileSync(join(folder, name), 'utf8')),
);
const sum = (member) => reports.reduce((total, report) => total + report[member], 0);

const passed = sum('numPassedTests');
const broken = Number(process.argv[3] ?? 0);
const failed = Math.max(sum('numFailedTests') + sum('numRuntimeErrorTestSuites'), broken);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = passed > 0 && failed === 0 ? 0 : 1;
