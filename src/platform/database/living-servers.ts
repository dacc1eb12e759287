import { Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { isTemporary } from './database.errors.js';
import { isDistributed } from './database.js';
import { HAS_CITUS } from './database-client.js';
import { queryRows } from './query-rows.js';

/** A query for users, for one part of a distributed table. */
export interface UsersQuery {
  readonly table: string;
  /** Returns a query without parameters for the part of the table with this name. It selects one column `user_id`. */
  readonly text: (part: string) => string;
}

/** The users in one part of a table. Undefined if the server of the part is unreachable. */
interface Answer {
  readonly userIds: readonly string[] | undefined;
}

const IS_CITUS = `SELECT ${HAS_CITUS} AS "isCitus"`;
const PARTITIONS = `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = $1::regclass`;
/** Runs a command on each shard. For a shard whose server is unreachable, `success` is false. */
const ON_SHARDS = `SELECT success, result FROM run_command_on_shards($1::regclass, $2)`;

const joined = (query: string): string =>
  `SELECT coalesce(string_agg(DISTINCT user_id::text, ','), '') AS users FROM (${query}) found`;

const split = (users: string): string[] => users.split(',').filter((userId) => userId !== '');

const logger = new Logger('LivingServers');

/**
 * Returns the users whom a query finds on the servers that are reachable. Call it after a statement over all users has
 * failed with `error`. One unreachable server then does not stop the work for the users on the other servers.
 * @throws `error` if the tables are on one server, if the error is permanent, or if no server answers
 */
export async function usersOnLivingServers(
  manager: EntityManager,
  error: unknown,
  query: UsersQuery,
): Promise<string[]> {
  if (!isDistributed(manager) || !isTemporary(error)) {
    throw error;
  }
  const [database] = await queryRows<{ isCitus: boolean }>(manager, IS_CITUS);
  const answers = await (database?.isCitus === true
    ? onShards(manager, query)
    : onPartitions(manager, query));
  const found = answers.flatMap(({ userIds }) => (userIds === undefined ? [] : [userIds]));
  if (found.length === 0) {
    throw error;
  }
  const failures = answers.length - found.length;
  logger.warn(`${failures} of ${answers.length} parts of ${query.table} failed: ${String(error)}`);
  return found.flat();
}

async function onShards(manager: EntityManager, { table, text }: UsersQuery): Promise<Answer[]> {
  const values = [table, joined(text('%s'))];
  const answers = await queryRows<{ success: boolean; result: string }>(manager, ON_SHARDS, values);
  return answers.map(({ success, result }) => ({ userIds: success ? split(result) : undefined }));
}

async function onPartitions(
  manager: EntityManager,
  { table, text }: UsersQuery,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const { name } of await queryRows<{ name: string }>(manager, PARTITIONS, [table])) {
    answers.push(
      await queryRows<{ users: string }>(manager, joined(text(name))).then(
        ([row]) => ({ userIds: split(row?.users ?? '') }),
        () => ({ userIds: undefined }),
      ),
    );
  }
  return answers;
}
