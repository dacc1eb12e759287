import pLimit, { type LimitFunction } from 'p-limit';

import { ServiceBusyError } from '../common/common.errors.js';

export interface TurnLimits {
  /** How many calls of one user are worked on at the same time. */
  readonly atOnce: number;
  /** How many calls of one user wait or are worked on; more than its clients have. */
  readonly most: number;
}

interface Turns {
  calls: number;
  readonly inTurn: LimitFunction;
}

/**
 * Lets the calls of one user wait for each other in this process. In the database they would wait for each other, or
 * for the processor, all the same, each with a connection that the calls of all others need.
 */
export class ListTurns {
  private readonly users = new Map<string, Turns>();

  constructor(private readonly limits: TurnLimits) {}

  /** Throws ServiceBusyError when too many wait already. */
  async take<T>(userId: string, work: () => Promise<T>): Promise<T> {
    const turns = this.users.get(userId) ?? { calls: 0, inTurn: pLimit(this.limits.atOnce) };
    if (turns.calls >= this.limits.most) {
      throw new ServiceBusyError();
    }
    this.users.set(userId, turns);
    turns.calls += 1;
    try {
      return await turns.inTurn(work);
    } finally {
      turns.calls -= 1;
      if (turns.calls === 0) {
        this.users.delete(userId);
      }
    }
  }
}
