import { OVER_ALL_USERS } from '../../src/platform/database/query-rows.js';
import { TABLE_PLACES, type TablePlace } from '../../src/platform/database/table-places.js';

/** What PostgreSQL tells of a statement that it has run (auto_explain in JSON). */
export interface StatementPlan {
  readonly 'Query Text': string;
  readonly Plan: PlanNode;
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Loops'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The tables of a statement. */
export interface Touched {
  /** The partitions of personal tables that it has read or written, by number. */
  readonly partitions: readonly number[];
  /** Personal and local tables of its plan, also of parts that were not run: an engine plans them all. */
  readonly personal: readonly string[];
  readonly local: readonly string[];
}

const placeOf = new Map<string, TablePlace>(TABLE_PLACES.map(({ table, place }) => [table, place]));
const PARTITION = /^(\w+)_of_(\d+)$/;

/**
 * Partitions that were never run do not count: the values have ruled them out. That they would have been ruled out, had
 * the part of the plan been run, is not known; nor to which partition an INSERT goes, which triggers see to (partitions.mjs).
 */
export function touchedBy({ Plan: plan }: StatementPlan): Touched {
  const names = [...new Set(namesIn(plan, false))];
  const run = [...new Set(namesIn(plan, true))];
  const partitions = run.flatMap((name) => PARTITION.exec(name)?.[2] ?? []).map(Number);
  const at = (place: TablePlace): string[] => names.filter((name) => placeOf.get(name) === place);
  const personal = names.map((name) => PARTITION.exec(name)?.[1] ?? name);
  return {
    partitions: [...new Set(partitions)],
    personal: [...new Set(personal.filter((name) => placeOf.get(name) === 'personal'))],
    local: at('local'),
  };
}

function namesIn(node: PlanNode, ofRunAlone: boolean): string[] {
  const counts = !ofRunAlone || node['Actual Loops'] !== 0;
  const own = counts ? (node['Relation Name'] ?? []) : [];
  return [own, (node.Plans ?? []).flatMap((part) => namesIn(part, ofRunAlone))].flat();
}

/** Why a distributed engine could not run the statement on one server; undefined where it could, or need not. */
export function offenceOf(plan: StatementPlan): string | undefined {
  const { partitions, personal, local } = touchedBy(plan);
  if (partitions.length > 1 && !plan['Query Text'].includes(OVER_ALL_USERS)) {
    return `reads ${partitions.length} partitions of ${personal.join(', ')}`;
  }
  return personal.length > 0 && local.length > 0
    ? `joins ${personal.join(', ')} with ${local.join(', ')}`
    : undefined;
}
