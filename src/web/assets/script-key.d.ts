import type { MessageKey } from '../../platform/i18n/message.js';

/** The key of a text that a script shows. All plural forms of a text share one key. */
export type ScriptKey = Extract<MessageKey, `scripts.${string}`> | 'scripts.language';
