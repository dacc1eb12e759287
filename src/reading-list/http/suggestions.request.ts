import { ValidationFailedError } from '../../common/common.errors.js';
import { Wire, WireId } from '../../common/http/wire.js';
import type { Address } from '../list/address.js';
import type { ItemReference } from '../list/item-reference.js';
import { readAddress } from './add-readers.js';

/** Clients send it for no id. */
const NO_ID = '0';

/** The members of suggested_tags; `version`, which apps send besides, is ignored. */
export class SuggestionsRequest {
  @WireId({ description: 'An item of the list. 0 is none; any other wins over `url`.' })
  item_id?: string;

  @Wire(readAddress, {
    type: 'string',
    maxLength: 4096,
    description: 'A page by its URL, in any spelling; it need not be saved.',
  })
  url?: Address;

  toReference(): ItemReference {
    if (this.item_id !== undefined && this.item_id !== NO_ID) {
      return { itemId: this.item_id };
    }
    if (this.url === undefined) {
      throw new ValidationFailedError(['url or item_id is missing']);
    }
    return { address: this.url };
  }
}
