import type { ItemToImport } from '../../lib/library-formats/format.js';
import { clean } from '../../lib/util/clean-text.js';
import { type Address, normalAddress } from '../../reading-list/list/address.js';

/** Returns the web address of an imported row. Returns undefined if the row has no web address. */
export const addressOfRow = ({ url }: ItemToImport): Address | undefined =>
  normalAddress(clean(url));
