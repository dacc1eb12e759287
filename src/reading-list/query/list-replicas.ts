import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import type { ListSummary } from '../../auth/consumers/caller-lists.js';
import { UnfitReplicaError } from '../../platform/database/database.errors.js';
import { queryRows } from '../../platform/database/query-rows.js';
import type { Fitness } from '../../platform/database/replica.js';
import { Replicas } from '../../platform/database/replicas.js';
import { IS_REPLICATED } from '../list/list.sql.js';

/** A list as the primary server has shown it. */
interface SeenList {
  readonly userId: string;
  readonly list: Pick<ListSummary, 'version'>;
  /** The words of all items have to be there too: they are written later than the version. */
  readonly withWords?: boolean;
}

/** Reads lists from replicas that have them at the version that the primary server has shown (docs/decisions/0086). */
@Injectable()
export class ListReplicas {
  constructor(private readonly replicas: Replicas) {}

  areUsable(): boolean {
    return this.replicas.areUsable();
  }

  /**
   * Undefined where the primary server has to answer. What is read has the version of the list; its `since` is that of
   * the summary: a replica sees neither the clock nor the writers of the primary server.
   */
  read<T>(
    { userId, list, withWords = false }: SeenList,
    read: (manager: EntityManager) => Promise<T>,
  ): Promise<T | undefined> {
    return this.replicas.read({
      key: userId,
      test: (manager) => fitnessOf(manager, [userId, list.version, withWords]),
      read,
    });
  }
}

interface Found {
  /** False once it was promoted. */
  readonly isReplica: boolean;
  /** This version, no earlier and no later one. */
  readonly isReplicated: boolean;
  /** All words of its items, if they are wanted. */
  readonly hasWords: boolean;
}

/**
 * Words are written later than the version, so that the primary server may have no more of them than a replica. Throws
 * UnfitReplicaError.
 */
async function fitnessOf(
  manager: EntityManager,
  values: readonly [userId: string, version: number, withWords: boolean],
): Promise<Fitness> {
  const [row] = await queryRows<Found>(manager, IS_REPLICATED, [...values]);
  if (row?.isReplica === false) {
    throw new UnfitReplicaError('it is no replica any more');
  }
  if (row?.isReplicated !== true) {
    return 'behind';
  }
  return row.hasWords ? 'fit' : 'unready';
}
