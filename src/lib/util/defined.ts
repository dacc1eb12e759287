type Loose<T> = { readonly [K in keyof T]: T[K] | undefined };

/** Drops properties that are undefined, as exactOptionalPropertyTypes requires. */
export function defined<T extends object>(properties: Loose<T>): T;
export function defined(properties: object): object {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined));
}
