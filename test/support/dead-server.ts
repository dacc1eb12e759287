import pg from 'pg';

import { OVER_ALL_USERS } from '../../src/platform/database/query-rows.js';
import { tablesAt } from '../../src/platform/database/table-places.js';

/** The user whose rows are unreachable, and the number of the partition with these rows. */
interface DeadServer {
  readonly id: string;
  readonly place: string;
}

interface Query {
  readonly text?: string;
  readonly values?: readonly unknown[];
}

const { query: send } = pg.Client.prototype;

const PERSONAL = new RegExp(
  String.raw`\b(?:${tablesAt('personal').join('|')})(?:_of_(\d+))?\b`,
  'g',
);

/** Statements on lists have the user as their first value. Statements over all users need all servers. */
function needs({ id, place }: DeadServer, { text = '', values = [] }: Query): boolean {
  const parts = [...text.matchAll(PERSONAL)].map(([, part]) => part);
  const isOnWholeTable = parts.includes(undefined);
  return (
    parts.includes(place) || (isOnWholeTable && (values[0] === id || text.includes(OVER_ALL_USERS)))
  );
}

const error = (): Error => Object.assign(new Error('connection refused'), { code: '08006' });

/**
 * Makes all statements of the service fail that need the server of one user, as Citus does. Statements of a transaction
 * fail before they reach PostgreSQL, so the transaction can still be rolled back.
 */
export function killServer(server: DeadServer): void {
  const queryLiving = function queryLiving(this: pg.Client, ...call: unknown[]): unknown {
    const [query, answer] = call;
    const isNeeded = typeof query === 'object' && query !== null && needs(server, query);
    if (isNeeded && typeof answer === 'function') {
      process.nextTick(answer, error());
      return undefined;
    }
    return Reflect.apply(send, this, call);
  };
  Object.assign(pg.Client.prototype, { query: queryLiving });
}

export function reviveServer(): void {
  pg.Client.prototype.query = send;
}
