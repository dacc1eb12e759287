/** The number of hosts in a row without an answer after which this service itself may be offline. */
const UNREACHABLE_IN_A_ROW = 3;

/**
 * Estimates whether this service is online. Without a network, a name server can claim that no host exists, so a host
 * without a name counts as gone only while other hosts answer.
 */
export class Connectivity {
  /** Infinite until the first host has answered. */
  #unanswered = Infinity;

  /** Records the results of hosts that were requested at the same time. True means that the host answered. */
  note(answers: readonly boolean[]): void {
    this.#unanswered = answers.includes(true) ? 0 : this.#unanswered + answers.length;
  }

  get isOnline(): boolean {
    return this.#unanswered < UNREACHABLE_IN_A_ROW;
  }
}
