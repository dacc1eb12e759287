import { readFileSync } from 'node:fs';

import { DEFAULT_LANGUAGE, PSEUDO_LANGUAGE, type TextLanguage } from './languages.js';
import { isMessageTree, type MessageTree } from './message-tree.js';
import en from './messages/en.json' with { type: 'json' };
import { pseudoMessages } from './pseudo-messages.js';

/** @throws Error if the file contains anything except texts */
function readMessages(language: TextLanguage): MessageTree {
  const file = new URL(`./messages/${language}.json`, import.meta.url);
  const messages: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!isMessageTree(messages)) {
    throw new Error(`messages/${language}.json may contain only texts`);
  }
  return messages;
}

/** Returns the messages of a language. Callers keep the result, because this function reads a file. */
export function messagesOf(language: TextLanguage): MessageTree {
  if (language === DEFAULT_LANGUAGE) {
    return en;
  }
  return language === PSEUDO_LANGUAGE ? pseudoMessages(en) : readMessages(language);
}
