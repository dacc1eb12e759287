import { ServiceBusyError } from '../common/common.errors.js';

/** More calls of one person than this at once are no person's. */
const MAX_WAITING = 64;

interface Turns {
  waiting: number;
  last: Promise<unknown>;
}

/**
 * Lets the calls that change one list happen one after the other. In the database they would wait for each other
 * all the same, each with a connection that everybody else needs.
 */
export class ListTurns {
  private readonly lists = new Map<string, Turns>();

  /** Throws ServiceBusyError when too many wait already. */
  async take<T>(userId: string, work: () => Promise<T>): Promise<T> {
    const turns = this.lists.get(userId) ?? { waiting: 0, last: Promise.resolve() };
    if (turns.waiting >= MAX_WAITING) {
      throw new ServiceBusyError();
    }
    this.lists.set(userId, turns);
    turns.waiting += 1;
    const turn = turns.last.then(work);
    turns.last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      turns.waiting -= 1;
      if (turns.waiting === 0) {
        this.lists.delete(userId);
      }
    }
  }
}
