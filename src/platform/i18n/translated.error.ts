import { DomainError } from '../common/common.errors.js';
import type { Message } from './message.js';
import { english } from './translator.js';

/** An error that a web page shows in the language of the person. Scripts receive the same error text in English. */
export abstract class TranslatedError extends DomainError {
  constructor(override readonly advice: Message) {
    super(english.text(advice));
  }
}
