/** The values of a statement under construction. The first is always the owner of the list. */
export class Bound {
  private readonly bound: unknown[];

  constructor(userId: string) {
    this.bound = [userId];
  }

  get values(): readonly unknown[] {
    return this.bound;
  }

  /** Gives what stands for the value in the text. */
  bind(value: unknown, type: 'bigint' | 'int' | 'text' | 'smallint[]' | 'text[]'): string {
    this.bound.push(value);
    return `$${this.bound.length}::${type}`;
  }
}
