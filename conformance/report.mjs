// Formats the results of a run for people.
const MARKS = { passed: 'ok  ', failed: 'FAIL', skipped: '-   ' };

export const lineOf = ({ name, rule, says, outcome, reason }) =>
  `${MARKS[outcome]}  ${name.padEnd(24)} ${says} (${rule})${reason ? `\n        ${reason}` : ''}`;

export function summaryOf({ results, left }) {
  const count = (outcome) => results.filter((result) => result.outcome === outcome).length;
  const kept = left === 0 ? '' : `\n${left} items of this run could not be deleted`;
  return `\n${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} not asked for${kept}`;
}
