type Loose<T> = { readonly [K in keyof T]: T[K] | undefined };

/**
 * Returns the object without the properties that are undefined, because exactOptionalPropertyTypes forbids undefined
 * values.
 */
export function defined<T extends object>(properties: Loose<T>): T;
export function defined(properties: object): object {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined));
}
