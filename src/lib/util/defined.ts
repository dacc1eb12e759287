type Loose<T> = { readonly [K in keyof T]: T[K] | undefined };

/**
 * Returns a copy of an object without its undefined properties. The TypeScript option `exactOptionalPropertyTypes`
 * forbids undefined as the value of an optional property.
 */
export function defined<T extends object>(properties: Loose<T>): T;
export function defined(properties: object): object {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined));
}
