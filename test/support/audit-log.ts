import type { TestApp } from './test-app.js';

interface Row {
  readonly id: string;
  readonly count: number;
  readonly kind: string;
  readonly actor: string;
  readonly user_id: string | null;
  readonly actor_id: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Returns the entries of the audit log that `work` has added, or has counted further, oldest first. */
export async function auditedIn(app: TestApp, work: () => Promise<unknown>): Promise<Row[]> {
  const all = (): Promise<Row[]> =>
    app.database.query<Row>('SELECT * FROM audit_entries ORDER BY id');
  const counts = new Map((await all()).map(({ id, count }) => [id, count]));
  await work();
  return (await all()).filter(({ id, count }) => counts.get(id) !== count);
}
