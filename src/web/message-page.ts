import type { Message } from '../platform/i18n/message.js';
import { Template } from './template.js';

interface MessageModel {
  readonly heading: Message;
  readonly text: Message;
  readonly action?: { readonly href: string; readonly label: Message };
}

/** A page with one message and an optional button. */
export const messagePage = new Template<MessageModel>('views/message');
