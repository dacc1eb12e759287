import type { Parsers } from '../../../src/articles/resolver/parsers.js';

export const sharedParsers: Parsers;
