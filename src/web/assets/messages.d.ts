import type { MessageKey } from '../../platform/i18n/message.js';

/**
 * Declares the types of `messages.js`. The service generates this module from the section `scripts` of
 * `messages/en.json` (page-assets.controller.ts).
 */

/** The key of a text that a script shows. All plural forms of a text share one key. */
export type ScriptKey = Extract<MessageKey, `scripts.${string}`>;

/** The language of the texts that scripts show. */
export declare const language: string;

/**
 * The texts that scripts show, keyed by message key. Each plural form of a text has its own key, such as
 * `scripts.waitingChanges_one`.
 */
export declare const messages: Readonly<Record<string, string>>;
