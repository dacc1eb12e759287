type Loose<T> = { readonly [K in keyof T]: T[K] | undefined };

/** The properties that are not undefined: optional properties are absent, which `undefined` is not. */
export function defined<T extends object>(properties: Loose<T>): T;
export function defined(properties: object): object {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined));
}
