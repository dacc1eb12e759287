import { CHECKS } from './checks.mjs';
import { Workspace } from './workspace.mjs';

const firstLine = (error) =>
  String(error?.message ?? error)
    .split('\n')
    .slice(0, 12)
    .join(' ')
    .trim();

async function outcomeOf({ isRun, run }, work) {
  if (isRun !== undefined && !isRun(work)) return { outcome: 'skipped' };
  try {
    await run(work);
    return { outcome: 'passed' };
  } catch (error) {
    return { outcome: 'failed', reason: firstLine(error) };
  }
}

/** Runs the checks one after the other; each gets pages of its own, which are deleted when it ends. */
export async function runChecks(target, { only = [], onResult = () => undefined } = {}) {
  const results = [];
  let left = 0;
  for (const check of CHECKS.filter(({ name }) => only.length === 0 || only.includes(name))) {
    const work = new Workspace(target);
    const { name, rule, says } = check;
    const result = { name, rule, says, ...(await outcomeOf(check, work)) };
    left += await work.clear().catch(() => 1);
    results.push(result);
    onResult(result);
  }
  return { results, left };
}
