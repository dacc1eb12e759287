/** The messages of a language, in the format of i18next. */
export interface MessageTree {
  readonly [name: string]: string | MessageTree;
}

export const isMessageTree = (value: unknown): value is MessageTree =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((one: unknown) => typeof one === 'string' || isMessageTree(one));
