type Loose<T> = { readonly [K in keyof T]: T[K] | undefined };

/** The members that are not undefined: optional members are absent, which `undefined` is not. */
export function defined<T extends object>(members: Loose<T>): T;
export function defined(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
