import type { Sample } from './metric.js';

/**
 * Counts events by the value of one label, such as the result of a fetch. It counts even if metrics are off, because
 * counting costs less than asking. The values must be few, because each value is kept in memory.
 */
export class Tally<Value extends string = string> {
  readonly #counts = new Map<Value, number>();

  /** Values that are known in advance start with 0, so that the first event is visible as an increase. */
  constructor(known: readonly Value[] = []) {
    known.forEach((value) => this.#counts.set(value, 0));
  }

  add(value: Value, count = 1): void {
    this.#counts.set(value, (this.#counts.get(value) ?? 0) + count);
  }

  /** Returns the counts as samples with the label `label`, and with further labels. */
  samples(label: string, further: Readonly<Record<string, string>> = {}): Sample[] {
    return [...this.#counts].map(([text, value]) => ({
      labels: { ...further, [label]: text },
      value,
    }));
  }
}
