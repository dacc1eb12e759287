import type { MessageKey } from '../../src/platform/i18n/message.js';

type WithinSection<Key> = Key extends `browserExtension.${infer Name}` ? Name : never;

/**
 * The key of a text that the extension shows, such as `popup.saved`. It is the key of a message in
 * `messages/en.json`, without the section `browserExtension`.
 */
export type TextKey = WithinSection<MessageKey>;
