import type { HeadFacts } from '../markup/head-facts.js';
import type { Clues } from './clues.js';
import { ldNodes, mainNodes } from './json-ld.js';
import { siteNameOf } from './site-name.js';
import type { Survey } from './survey.js';

/** All that the fields are read from, of what the head says and the body shows. */
export function readClues(facts: HeadFacts, url: string, survey: Survey): Clues {
  const graph = ldNodes(facts.jsonLd);
  return {
    url: new URL(url),
    facts,
    graph,
    main: mainNodes(graph),
    survey,
    siteName: siteNameOf(facts, graph),
  };
}
