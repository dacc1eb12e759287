import { type Reader, Unreadable } from '../../common/http/wire-reader.js';
import { type Address, normalAddress } from '../list/address.js';

/** The address of the page to save. */
export const readAddress: Reader<Address> = (value) =>
  // A number is no address, though `1.5` would do for one.
  (typeof value === 'string' ? normalAddress(value) : undefined) ??
  new Unreadable('must be an http or https URL of at most 4096 bytes');
