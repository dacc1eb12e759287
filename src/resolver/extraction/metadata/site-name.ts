import { type HeadFacts, metaOf } from '../markup/head-facts.js';
import { type LdNode, ldText, ldTypes } from './json-ld.js';

/** The name of the site as it calls itself, "" when it does not. */
export function siteNameOf(facts: HeadFacts, graph: readonly LdNode[]): string {
  return (
    metaOf(facts, ['og:site_name']) ||
    named(graph, 'WebSite') ||
    publisherOf(graph) ||
    metaOf(facts, [
      'application-name',
      'apple-mobile-web-app-title',
      'al:ios:app_name',
      'dc.publisher',
    ])
  );
}

const named = (graph: readonly LdNode[], type: string): string =>
  ldText(graph.find((node) => ldTypes(node).includes(type))?.['name']);

const publisherOf = (graph: readonly LdNode[]): string =>
  graph.map((node) => ldText(node['publisher'])).find((name) => name !== '') ?? '';
