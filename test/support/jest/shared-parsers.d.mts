import type { Parsers } from '../../../src/resolver/parsers.js';

export const sharedParsers: Parsers;
