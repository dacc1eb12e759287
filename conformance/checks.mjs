import { CHANGES } from './checks/changes.mjs';
import { ERRORS } from './checks/errors.mjs';
import { FURTHER } from './checks/further.mjs';
import { HEADERS } from './checks/headers.mjs';
import { LIST } from './checks/list.mjs';
import { OAUTH } from './checks/oauth.mjs';
import { SINCE } from './checks/since.mjs';
import { TRANSPORT } from './checks/transport.mjs';

/** All checks. Checks that use up a resource of others come last. */
export const CHECKS = [
  ...[TRANSPORT, HEADERS, LIST, SINCE, CHANGES, FURTHER, ERRORS, OAUTH].flat(),
].sort((one, other) => Number(one.isLast ?? false) - Number(other.isLast ?? false));
