import { NotFoundException } from '@nestjs/common';
import type { Request } from 'express';

import type { Passkeys, PasskeyUse } from '../../../auth/passkeys/passkeys.js';
import { type Answer, json } from '../../../platform/http/answer.js';

/**
 * Returns the request that a script passes to the browser.
 * @throws NotFoundException if the service is called by an IP address, for which browsers use no passkeys
 */
export async function passkeyRequest(
  passkeys: Passkeys,
  request: Request,
  use: PasskeyUse,
): Promise<Answer> {
  return json(needed(await passkeys.requestFor(request, use)));
}

/** @throws NotFoundException if there is no request for a passkey */
export function needed<T>(options: T | undefined): T {
  if (options === undefined) {
    throw new NotFoundException();
  }
  return options;
}
