import { CHECKS } from './checks.mjs';
import { WALLABAG_CHECKS } from './wallabag/checks.mjs';
import { WallabagWorkspace } from './wallabag/workspace.mjs';
import { Workspace } from './workspace.mjs';

/** Checks and workspace of each API. */
const SUITES = {
  v3: { checks: CHECKS, workspaceOf: (target) => new Workspace(target) },
  wallabag: { checks: WALLABAG_CHECKS, workspaceOf: (target) => new WallabagWorkspace(target) },
};

export const checksOf = (api) => SUITES[api].checks;

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

/** Runs the checks in order. Each check has its own pages, which are deleted when it ends. */
export async function runChecks(
  target,
  { api = 'v3', only = [], onResult = () => undefined } = {},
) {
  const { checks, workspaceOf } = SUITES[api];
  const results = [];
  let left = 0;
  for (const check of checks.filter(({ name }) => only.length === 0 || only.includes(name))) {
    const work = workspaceOf(target);
    const { name, rule, says } = check;
    const result = { name, rule, says, ...(await outcomeOf(check, work)) };
    left += await work.clear().catch(() => 1);
    results.push(result);
    onResult(result);
  }
  return { results, left };
}
