const isObject = (body: unknown): body is object => typeof body === 'object' && body !== null;

/** The text of a parameter or of a field of a form; empty for one that is absent, or given more than once. */
export function textOf(params: unknown, name: string): string {
  const value: unknown =
    isObject(params) && Object.hasOwn(params, name) ? Reflect.get(params, name) : undefined;
  return typeof value === 'string' ? value : '';
}

/** The parameter that is an object, such as `client[name]` makes in a form; undefined where there is none. */
export function objectIn(params: unknown, name: string): object | undefined {
  const value: unknown =
    isObject(params) && Object.hasOwn(params, name) ? Reflect.get(params, name) : undefined;
  return isObject(value) ? value : undefined;
}

const ID = /^[1-9]\d{0,17}$/;

/** Tells whether a text from an address or a form can be the id of a row. */
export const isId = (text: string): boolean => ID.test(text);
