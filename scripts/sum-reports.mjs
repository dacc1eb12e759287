// Sums up Jest's JSON reports. Prints each failed test with the start of its message, for logs that are cut off, and `N
// passed, N failed`. A step that failed without a failed test counts as one failure, for example lint, or a run without
// a report. No passed tests at all is a failure.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const LINES = 12;

const folder = process.argv[2];
const reports = readdirSync(folder).map((name) => ({
  name,
  ...JSON.parse(readFileSync(join(folder, name), 'utf8')),
}));
const sum = (member) => reports.reduce((total, report) => total + report[member], 0);
const headOf = (message) => message.split('\n', LINES).join('\n');

for (const { name, testResults } of reports) {
  for (const { name: file, message, assertionResults } of testResults) {
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    const place = `\nFAILED (${name}) ${relative('.', file)}`;
    for (const { fullName, failureMessages } of failed) {
      console.log(`${place}: ${fullName}\n${headOf(failureMessages.join('\n'))}`);
    }
    if (failed.length === 0 && message !== '') {
      console.log(`${place}\n${headOf(message)}`);
    }
  }
}

const passed = sum('numPassedTests');
const broken = Number(process.argv[3] ?? 0);
const failed = Math.max(sum('numFailedTests') + sum('numRuntimeErrorTestSuites'), broken);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = passed > 0 && failed === 0 ? 0 : 1;
