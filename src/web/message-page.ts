import type { Message } from '../platform/i18n/message.js';
import { Template } from './template.js';

interface MessageModel {
  readonly heading: Message;
  readonly text: Message;
  readonly action?: { readonly href: string; readonly label: Message };
  /** Set for a logged-in user. The page then links to the parts of the reader. */
  readonly section?: string;
  /** True if the page links to the start page and the login page. */
  readonly isForVisitor?: boolean;
  /** True if search engines must not list the page. */
  readonly isUnlisted?: boolean;
}

/** A page with one message and an optional button. */
export const messagePage = new Template<MessageModel>('views/message');
