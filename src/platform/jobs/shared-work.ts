import { ServiceBusyError } from '../common/common.errors.js';
import { FairQueue } from './fair-queue.js';

interface SharedWorkLimits {
  readonly concurrency: number;
  readonly perUser: number;
  /** The maximum number of tasks that one user may have queued. */
  readonly waitingPerUser: number;
}

interface SharedTask<T> {
  readonly result: Promise<T>;
  /** Settles `result` with the outcome of the passed promise. */
  readonly settle: (outcome: Promise<T>) => void;
  /** The ids of the users whose queues contain the task. */
  readonly userIds: Set<string>;
  isStarted: boolean;
}

/**
 * Runs a task only once, even if several users request it. Until the task starts, it is in the queues of all these
 * users. The tasks of one user never delay the tasks of another user.
 */
export class SharedWork<T> {
  private readonly queue: FairQueue;
  private readonly waitingPerUser: number;
  private readonly tasks = new Map<string, SharedTask<T>>();

  constructor({ waitingPerUser, ...limits }: SharedWorkLimits) {
    this.queue = new FairQueue(limits);
    this.waitingPerUser = waitingPerUser;
  }

  /**
   * Returns the result of the task with the key. Queues the task for this user, unless the task has
   * started or the user has already requested it.
   * @throws ServiceBusyError if the user has too many queued tasks
   */
  run(userId: string, key: string, work: () => Promise<T>): Promise<T> {
    const task = this.tasks.get(key) ?? newTask<T>();
    if (task.isStarted || task.userIds.has(userId)) {
      return task.result;
    }
    if (this.queue.pendingCountOf(userId) >= this.waitingPerUser) {
      throw new ServiceBusyError();
    }
    this.tasks.set(key, task);
    task.userIds.add(userId);
    void this.queue.run(userId, () => this.start(key, task, work));
    return task.result;
  }

  /** Runs the task and settles its promise. Does nothing if the queue of another user has already started the task. */
  private async start(key: string, task: SharedTask<T>, work: () => Promise<T>): Promise<void> {
    if (task.isStarted) {
      return;
    }
    task.isStarted = true;
    const outcome = work();
    task.settle(outcome);
    await Promise.allSettled([outcome]);
    this.tasks.delete(key);
  }
}

function newTask<T>(): SharedTask<T> {
  let settle: SharedTask<T>['settle'] = () => undefined;
  const result = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { result, settle, userIds: new Set(), isStarted: false };
}
