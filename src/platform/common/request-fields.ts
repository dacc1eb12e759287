/** Returns true for an object or array, and false for null. */
export const isObject = (body: unknown): body is object =>
  typeof body === 'object' && body !== null;

/** Returns the value of a parameter or form field as it was parsed. Returns undefined if the field is missing. */
export const valueIn = (params: unknown, name: string): unknown =>
  isObject(params) && Object.hasOwn(params, name) ? Reflect.get(params, name) : undefined;

/**
 * Returns the text of a parameter or form field. If the field is missing or occurs more than once,
 * returns an empty string.
 */
export function textOf(params: unknown, name: string): string {
  const value = valueIn(params, name);
  return typeof value === 'string' ? value : '';
}

/**
 * Returns a parameter that is an object, such as `client` from the form field `client[name]`. Returns undefined if the
 * request has no such object.
 */
export function objectIn(params: unknown, name: string): object | undefined {
  const value = valueIn(params, name);
  return isObject(value) ? value : undefined;
}

const ID = /^[1-9]\d{0,17}$/;

/** Returns true if a text from a URL or a form can be the id of a database row. */
export const isId = (text: string): boolean => ID.test(text);
