import type en from './messages/en.json';

/** The path of each text in a tree of messages, such as `keys.title`. */
type PathsOf<Tree, Prefix extends string = ''> = {
  [Name in keyof Tree & string]: Tree[Name] extends string
    ? `${Prefix}${Name}`
    : PathsOf<Tree[Name], `${Prefix}${Name}.`>;
}[keyof Tree & string];

/**
 * Removes the plural suffix from a path, because plural forms share one key: `items_one` and `items_other` have the key
 * `items`.
 */
type WithoutPlural<Path> = Path extends `${infer Key}_${'one' | 'other'}` ? Key : Path;

/** The key of a text in `messages/en.json`. */
export type MessageKey = WithoutPlural<PathsOf<typeof en>>;

/** The name of a language, such as German for `de`. `Translator` writes it in its own language. */
export class LanguageName {
  constructor(readonly code: string) {}
}

/**
 * A value that is inserted into a message. A number is written with thousands separators, a date in the time zone
 * and the date format of the translator, and an array as a list such as `a, b and c`.
 */
export type MessageValue = string | number | Date | Message | LanguageName | readonly Message[];

export type MessageValues = Readonly<Record<string, MessageValue>>;

/** A text that people see: the key of a message, and the values to insert. `Translator` returns it in one language. */
export class Message {
  constructor(
    readonly key: MessageKey,
    readonly values: MessageValues = {},
  ) {}
}

/** Returns the message with this key. The value `count` selects the plural form. */
export const message = (key: MessageKey, values?: MessageValues): Message =>
  new Message(key, values);

/** Converts a text without translation, such as the text of an API error, to a message. */
export const plainText = (text: string): Message => new Message('plain', { text });
