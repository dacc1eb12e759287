import type { MessageKey } from '../../platform/i18n/message.js';

/**
 * Declares the types of `messages.js`. The service makes this module from the section `scripts` of
 * `messages/en.json` (page-assets.controller.ts).
 */

/** The key of a text of the scripts. Plural forms share one key. */
export type ScriptKey = Extract<MessageKey, `scripts.${string}`>;

/** The language of the texts. */
export declare const language: string;

/** The texts by their keys. Each plural form has its own key, such as `scripts.waitingChanges_one`. */
export declare const messages: Readonly<Record<string, string>>;
