import { OVER_ALL_USERS } from '../../src/platform/database/query-rows.js';
import { TABLE_PLACES, type TablePlace } from '../../src/platform/database/table-places.js';

/** A plan that PostgreSQL logs for an executed statement (auto_explain in JSON). */
export interface StatementPlan {
  readonly 'Query Text': string;
  readonly Plan: PlanNode;
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** Tables and partitions of a statement. */
export interface Touched {
  /**
   * Numbers of the partitions of personal tables in the plan, including parts that were not executed. PostgreSQL removes
   * the partitions that the parameters of the statement exclude. It does not remove those that a value of another row
   * excludes while the statement runs. A distributed engine would read all of these on their servers.
   */
  readonly partitions: readonly number[];
  /** Personal and local tables in the plan, also in parts that were not executed. */
  readonly personal: readonly string[];
  readonly local: readonly string[];
  /** Tables of PostgreSQL's catalog in the plan. */
  readonly catalog: readonly string[];
}

const placeOf = new Map<string, TablePlace>(TABLE_PLACES.map(({ table, place }) => [table, place]));
const PARTITION = /^(\w+)_of_(\d+)$/;

/** Returns the tables and partitions in a plan. Triggers check the partitions of INSERT (partitions.mjs). */
export function touchedBy({ Plan: plan }: StatementPlan): Touched {
  const names = [...new Set(namesIn(plan))];
  const partitions = names.flatMap((name) => PARTITION.exec(name)?.[2] ?? []).map(Number);
  const at = (place: TablePlace): string[] => names.filter((name) => placeOf.get(name) === place);
  const personal = names.map((name) => PARTITION.exec(name)?.[1] ?? name);
  return {
    partitions: [...new Set(partitions)],
    personal: [...new Set(personal.filter((name) => placeOf.get(name) === 'personal'))],
    local: at('local'),
    catalog: names.filter((name) => name.startsWith('pg_')),
  };
}

const namesIn = (node: PlanNode): string[] => [
  ...(node['Relation Name'] === undefined ? [] : [node['Relation Name']]),
  ...(node.Plans ?? []).flatMap(namesIn),
];

/**
 * Returns why a distributed engine could not run the statement on one server. Undefined if it could, or if the
 * statement is exempt.
 */
export function offenceOf(plan: StatementPlan): string | undefined {
  const { partitions, personal, local, catalog } = touchedBy(plan);
  if (partitions.length > 1 && !plan['Query Text'].includes(OVER_ALL_USERS)) {
    return `reads ${partitions.length} partitions of ${personal.join(', ')}`;
  }
  const others = [...local, ...catalog];
  return personal.length > 0 && others.length > 0
    ? `joins ${personal.join(', ')} with ${others.join(', ')}`
    : undefined;
}
