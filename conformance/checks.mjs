import { CHANGES } from './checks/changes.mjs';
import { ERRORS } from './checks/errors.mjs';
import { FURTHER } from './checks/further.mjs';
import { HEADERS } from './checks/headers.mjs';
import { LIST } from './checks/list.mjs';
import { OAUTH } from './checks/oauth.mjs';
import { SINCE } from './checks/since.mjs';
import { TRANSPORT } from './checks/transport.mjs';

/** Every check by its name; those that use up what others need come last. */
export const CHECKS = [
  ...[TRANSPORT, HEADERS, LIST, SINCE, CHANGES, FURTHER, ERRORS, OAUTH].flat(),
].sort((one, other) => Number(one.isLast ?? false) - Number(other.isLast ?? false));
