// Parser threads of the tests, loaded once per worker. Starting them takes longer than most test files.
import { Parsers } from '../../../dist/src/articles/resolver/parsers.js';

/** Starting a thread takes seconds on a busy machine, which must not count as a slow page. */
const PATIENCE_MS = 100_000;

export const sharedParsers = new Parsers({
  pages: { pageMs: PATIENCE_MS, headMs: PATIENCE_MS },
  documentMs: PATIENCE_MS,
});

/** Applications of all test files share the parsers, so none may stop them. Idle threads end by themselves. */
sharedParsers.onApplicationShutdown = () => Promise.resolve();
