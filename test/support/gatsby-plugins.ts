import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(join(process.cwd(), 'package.json'));

/** An item as a plugin passes it to Gatsby. */
interface ArticleNode {
  readonly id: string;
  /** Undefined for a deleted item. The original also reported those to plugins. */
  readonly url: string | undefined;
  readonly title: string;
  readonly articleDomain: string;
  readonly favorite: boolean;
  readonly excerpt: string;
  readonly tags: readonly string[];
  readonly word_count: number;
  readonly time_read: number;
}

interface PluginOptions {
  readonly consumerKey: string;
  readonly accessToken: string;
  /** `unread`, `archive` or `all`. */
  readonly stateFilterString: string;
  readonly tagFilterString?: string;
}

/** The Gatsby API that a plugin uses. */
interface GatsbyHelpers {
  readonly actions: {
    readonly createNode: (node: ArticleNode) => void;
    readonly touchNode: () => void;
  };
  readonly createNodeId: (name: string) => string;
  readonly createContentDigest: () => string;
  readonly getNodesByType: () => readonly ArticleNode[];
  readonly reporter: { readonly info: () => void };
}
interface Plugin {
  sourceNodes(helpers: GatsbyHelpers, options: object): Promise<void>;
}

export const GATSBY_PLUGINS = ['gatsby-source-pocketapi', 'gatsby-source-pocket'] as const;

/** Returns the nodes that a plugin creates. Gatsby itself is not installed, since plugins do not call it. */
export async function sourcedBy(
  plugin: (typeof GATSBY_PLUGINS)[number],
  { tagFilterString, ...options }: PluginOptions,
): Promise<ArticleNode[]> {
  const nodes: ArticleNode[] = [];
  const helpers: GatsbyHelpers = {
    actions: {
      createNode: (node) => {
        nodes.push(node);
      },
      touchNode: () => undefined,
    },
    createNodeId: (name) => name,
    createContentDigest: () => '',
    getNodesByType: () => [],
    reporter: { info: () => undefined },
  };
  await (require(plugin) as Plugin).sourceNodes(helpers, {
    ...{ weeksOfHistory: 52, apiMaxRecordsToReturn: 10_000, getCurrentWeekOnly: 'n' },
    ...{ tagFilter: tagFilterString !== undefined, tagFilterString },
    ...options,
  });
  return nodes;
}
