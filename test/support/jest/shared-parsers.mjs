// The threads that parse pages in tests, loaded by Node once a worker: to start them takes longer than most test files.
import { Parsers } from '../../../dist/src/articles/resolver/parsers.js';

/** A thread that starts on a busy machine takes seconds, which are not the page's fault. */
const PATIENCE_MS = 100_000;

export const sharedParsers = new Parsers({
  pages: { pageMs: PATIENCE_MS, headMs: PATIENCE_MS },
  documentMs: PATIENCE_MS,
});

/** The applications of all test files use them; idle threads end by themselves. */
sharedParsers.onApplicationShutdown = () => Promise.resolve();
