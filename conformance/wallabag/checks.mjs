import { ENTRIES } from './entries.mjs';
import { LISTS } from './lists.mjs';
import { SERVER } from './server.mjs';
import { SHAPE } from './shape.mjs';
import { TOKENS } from './tokens.mjs';
import { WIRE } from './wire.mjs';

/** Every check of the wallabag API by its name. */
export const WALLABAG_CHECKS = [SERVER, TOKENS, WIRE, SHAPE, ENTRIES, LISTS].flat();
