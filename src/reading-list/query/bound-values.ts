/**
 * Collects the parameter values of an SQL statement under construction. The first value is always the id of the user
 * who owns the list.
 */
export class Bound {
  private readonly bound: unknown[];

  constructor(userId: string) {
    this.bound = [userId];
  }

  get values(): readonly unknown[] {
    return this.bound;
  }

  /** Adds a value and returns its placeholder. */
  bind(
    value: unknown,
    type:
      | 'bigint'
      | 'bigint[]'
      | 'int'
      | 'smallint'
      | 'text'
      | 'smallint[]'
      | 'text[]'
      | 'tsquery'
      | 'uuid',
  ): string {
    this.bound.push(value);
    return `$${this.bound.length}::${type}`;
  }
}
