import type { SchemaObject } from 'openapi3-ts/oas31';

import { Wire, WireText } from '../../common/http/wire.js';
import { type Reader, textReader } from '../../common/http/wire-reader.js';

const MAX_LENGTH = 2000;

const readText = textReader({ max: MAX_LENGTH });

/** Some clients send an empty object for no state. */
const readState: Reader<string | undefined> = (value) =>
  typeof value === 'object' ? undefined : readText(value);

/** An array names no address, and counts as none given. */
const readRedirectUri: Reader<string | undefined> = (value) =>
  Array.isArray(value) ? undefined : readText(value);

const REDIRECT_URI: SchemaObject = {
  type: ['string', 'number', 'array'],
  maxLength: MAX_LENGTH,
};

/** The members of request besides the consumer key. */
export class RequestCodeRequest {
  @Wire(readRedirectUri, {
    ...REDIRECT_URI,
    description:
      'Where the browser goes when the person has answered. Any scheme but those that run or open something by themselves, such as `javascript:` and `data:`. Text that is no absolute URL (`not_needed`, `/`) keeps the person on a page that says what was answered. An array counts as none given.',
  })
  redirect_uri?: string;

  @Wire(readState, {
    type: ['string', 'number', 'object'],
    maxLength: MAX_LENGTH,
    description: 'Handed back as it is; an object is taken and means nothing.',
  })
  state?: string;
}

/** The members of authorize besides the consumer key. */
export class ExchangeRequest {
  @WireText({ max: MAX_LENGTH }, { description: 'The code of the request.' })
  code?: string;

  @Wire(readRedirectUri, {
    ...REDIRECT_URI,
    description:
      'Not needed. When it is given it has the origin of that of the request, where that has one.',
  })
  redirect_uri?: string;
}

/** The members of request_meta besides the consumer key. */
export class MetaRequest {
  @WireText({ max: MAX_LENGTH }, { description: 'The code of a request, of any application.' })
  request_token?: string;
}
