const isObject = (body: unknown): body is object => typeof body === 'object' && body !== null;

/** Returns the text of a parameter or form field. Returns an empty string if it is absent or given more than once. */
export function textOf(params: unknown, name: string): string {
  const value: unknown =
    isObject(params) && Object.hasOwn(params, name) ? Reflect.get(params, name) : undefined;
  return typeof value === 'string' ? value : '';
}

/**
 * Returns a parameter that is an object, such as the fields `client[name]` of a form, or undefined if there is none.
 */
export function objectIn(params: unknown, name: string): object | undefined {
  const value: unknown =
    isObject(params) && Object.hasOwn(params, name) ? Reflect.get(params, name) : undefined;
  return isObject(value) ? value : undefined;
}

const ID = /^[1-9]\d{0,17}$/;

/** Returns true if a text from an address or a form can be the id of a row. */
export const isId = (text: string): boolean => ID.test(text);
