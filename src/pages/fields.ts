/** The text of a field of a form or a query; empty for one that is absent, or given more than once. */
export function textOf(members: unknown, name: string): string {
  if (typeof members !== 'object' || members === null || !Object.hasOwn(members, name)) {
    return '';
  }
  const value: unknown = Reflect.get(members, name);
  return typeof value === 'string' ? value : '';
}
