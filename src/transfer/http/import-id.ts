import { ImportNotFoundError } from '../transfer.errors.js';

const ID = /^[1-9]\d{0,17}$/;

/** The id of an import in an address. Throws ImportNotFoundError for what is none. */
export function importId(text: string): string {
  if (!ID.test(text)) {
    throw new ImportNotFoundError();
  }
  return text;
}
