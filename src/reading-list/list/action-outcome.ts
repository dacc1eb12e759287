import { cut } from '../../lib/util/clean-text.js';
import {
  type DomainError,
  type Problem,
  ValidationFailedError,
} from '../../platform/common/common.errors.js';
import { ERROR_CATALOGUE } from '../../platform/common/error.catalogue.js';
import { type Message, message } from '../../platform/i18n/message.js';
import type { ItemRow } from '../entities/item.entity.js';
import { StorageFullError } from '../reading-list.errors.js';

const MAX_ECHO = 100;
const FULL = ERROR_CATALOGUE.storage_full;

/**
 * The reason why an action is refused. The messages are the same as in the original Pocket API (docs/decisions/0017).
 */
export class Refusal {
  private constructor(
    readonly code: 130 | 198 | typeof FULL.xErrorCode,
    readonly type: 'Bad request' | 'Internal Server Error' | 'Insufficient Storage',
    readonly message: string,
    /** The name of the invalid parameter and the message for people, which a form shows next to its field. */
    private readonly shown: Pick<Problem, 'field' | 'advice'> = {},
  ) {}

  /**
   * Returns the refusal of an invalid action. The message contains the beginning of the invalid value from the client.
   */
  static malformed(message: string, sent?: unknown): Refusal {
    const echo = typeof sent === 'string' ? sent : JSON.stringify(sent);
    return new Refusal(
      130,
      'Bad request',
      sent === undefined ? message : `${message}: ${cut(echo, MAX_ECHO)}`,
    );
  }

  /** Returns the refusal of an action with an invalid parameter value. */
  static ofField(field: string, text: string, advice?: Message): Refusal {
    return new Refusal(130, 'Bad request', text, { field, advice });
  }

  /** Returns the refusal of an action that would exceed the user's storage limit. */
  static full(limitBytes: number): Refusal {
    const { message: text, advice } = StorageFullError.of(limitBytes);
    return new Refusal(FULL.xErrorCode, 'Insufficient Storage', text, { advice });
  }

  /** The refusal as an exception, for calls that apply only one action. */
  get error(): DomainError {
    return this.code === FULL.xErrorCode && this.advice !== undefined
      ? new StorageFullError(this.message, this.advice)
      : new ValidationFailedError([{ ...this.shown, text: this.message }]);
  }

  /** The message for people. Undefined for a refusal that only a client can cause. */
  get advice(): Message | undefined {
    return this.shown.advice;
  }

  static unnamedAction(): Refusal {
    return Refusal.malformed('Action must have action field');
  }

  static unknownAction(name: string): Refusal {
    return new Refusal(130, 'Bad request', `Invalid Action: '${cut(name, MAX_ECHO)}'`);
  }

  /** Returns the refusal of an action on an item or tag that is not in the list. */
  static notFound(thing: 'SavedItem' | 'Tag'): Refusal {
    return new Refusal(198, 'Internal Server Error', `Error - Not Found: ${thing} does not exist`);
  }
}

/** The state of a saved item before it was saved again. */
export interface SavedBefore {
  /** The time of the previous save, in Unix seconds. */
  readonly timeAdded: number;
  readonly isArchived: boolean;
}

/**
 * The outcome of one action. If the caller requests saved items, `row` is the database row of the item that the action
 * saved. If the action saved an item that was already in the list, `savedBefore` is set.
 */
export type ActionOutcome =
  | {
      readonly ok: true;
      readonly itemId?: string;
      readonly row?: ItemRow;
      readonly savedBefore?: SavedBefore;
    }
  | { readonly ok: false; readonly refusal: Refusal };

export const DONE: ActionOutcome = { ok: true };
export const refused = (refusal: Refusal): ActionOutcome => ({ ok: false, refusal });
export const UNKNOWN_ITEM = refused(Refusal.notFound('SavedItem'));
export const UNKNOWN_TAG = refused(Refusal.notFound('Tag'));
export const TOO_MANY_TAGS = refused(
  Refusal.ofField('tags', 'An item has at most 50 tags', message('errors.tooManyTags')),
);
export const TOO_MANY_ANNOTATIONS = refused(
  Refusal.ofField(
    'annotation',
    'An item has at most 100 annotations',
    message('highlights.rules.tooMany'),
  ),
);
export const ANNOTATION_OF_ANOTHER_ITEM = refused(
  Refusal.malformed('Invalid annotation_id: it belongs to another item'),
);
/** The refusal of a new URL if all its possible item ids belong to other URLs of the list. */
export const NO_ROOM = refused(Refusal.ofField('url', 'Invalid url'));
