import type { TestApp } from './test-app.js';

interface Row {
  readonly kind: string;
  readonly actor: string;
  readonly user_id: string | null;
  readonly actor_id: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Returns the entries of the audit log that `work` has added, oldest first. */
export async function auditedIn(app: TestApp, work: () => Promise<unknown>): Promise<Row[]> {
  const [last] = await app.database.query<{ id: string }>(
    'SELECT coalesce(max(id), 0) AS id FROM audit_entries',
  );
  await work();
  return app.database.query<Row>('SELECT * FROM audit_entries WHERE id > $1 ORDER BY id', [
    last?.id,
  ]);
}
