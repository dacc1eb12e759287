import { ENTRIES } from './entries.mjs';
import { LISTS } from './lists.mjs';
import { SERVER } from './server.mjs';
import { SHAPE } from './shape.mjs';
import { TOKENS } from './tokens.mjs';
import { WIRE } from './wire.mjs';

/** All checks of the wallabag API. */
export const WALLABAG_CHECKS = [SERVER, TOKENS, WIRE, SHAPE, ENTRIES, LISTS].flat();
