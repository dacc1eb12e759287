import { Injectable } from '@nestjs/common';

import { cleanNote, cutNote, isNoteTooLong, MAX_NOTE_BYTES } from '../../../lib/util/item-note.js';
import { fieldProblem, ValidationFailedError } from '../../../platform/common/common.errors.js';
import { message } from '../../../platform/i18n/message.js';
import { UNKNOWN_ITEM } from '../../../reading-list/list/action-outcome.js';
import { ItemRepository } from '../../../reading-list/list/item.repository.js';
import { ItemNotFoundError } from '../../../reading-list/reading-list.errors.js';
import { SendService } from '../../../reading-list/send/send.service.js';
import type { ItemOfUser } from './highlights.service.js';

/** Reads and changes the notes of users about the pages that they have saved. */
@Injectable()
export class ItemNotes {
  constructor(
    private readonly items: ItemRepository,
    private readonly actions: SendService,
  ) {}

  /** Returns the note of an item. It is empty if the item has no note or is not in the list. */
  of({ userId, itemId }: ItemOfUser): Promise<string> {
    return this.items.noteOf(userId, itemId);
  }

  /**
   * Stores the note of an item. A blank note deletes the stored note.
   * @throws ItemNotFoundError
   * @throws ValidationFailedError if the note is too long
   * @throws StorageFullError
   */
  async write({ userId, itemId }: ItemOfUser, text: string): Promise<void> {
    const note = cleanNote(text.replaceAll('\r\n', '\n'));
    if (isNoteTooLong(note)) {
      throw new ValidationFailedError([tooLong(note)]);
    }
    const action = { action: 'set_note', item_id: itemId, note };
    const [outcome] = await this.actions.send(userId, [action], false);
    if (outcome?.ok === false) {
      throw outcome === UNKNOWN_ITEM ? new ItemNotFoundError() : outcome.refusal.error;
    }
  }
}

/** The limit is in bytes, so the message says how many characters to remove. */
const tooLong = (note: string): ReturnType<typeof fieldProblem> =>
  fieldProblem(
    'item-note',
    `must have at most ${MAX_NOTE_BYTES} bytes`,
    message('itemNote.tooLong', { count: note.length - cutNote(note).length }),
  );
