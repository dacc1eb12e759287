/** An object in the JSON-LD of a page. */
export type LdNode = Readonly<Record<string, unknown>>;

const MAX_NODES = 2_000;
const MAX_DEPTH = 12;

/** The objects in the JSON-LD of a page. An outer object precedes the objects inside it. */
interface LinkedData {
  readonly all: readonly LdNode[];
  /**
   * The JSON-LD objects that describe the page itself. Excludes objects that describe other pages,
   * reviews or comments.
   */
  readonly own: readonly LdNode[];
}

/**
 * The names of members that describe something other than the page, such as teasers, parts, reviews or comments. The
 * JSON-LD objects in these members have their own authors and dates.
 */
const OF_OTHERS: ReadonlySet<string> = new Set(
  'itemListElement hasPart isPartOf review reviews comment mentions citation'.split(' '),
);

/** Returns all objects in the JSON-LD scripts of a page. Skips scripts that are not valid JSON. */
export function linkedData(scripts: readonly string[]): LinkedData {
  const found = { all: [], own: [] };
  for (const script of scripts) {
    collect(parsed(script), found, { depth: 0, isOwn: true });
  }
  return found;
}

interface Found {
  readonly all: LdNode[];
  readonly own: LdNode[];
}

interface Level {
  readonly depth: number;
  readonly isOwn: boolean;
}

function collect(value: unknown, found: Found, { depth, isOwn }: Level): void {
  if (depth > MAX_DEPTH || found.all.length >= MAX_NODES) {
    return;
  }
  if (Array.isArray(value)) {
    value.forEach((one) => {
      collect(one, found, { depth: depth + 1, isOwn });
    });
  } else if (isNode(value)) {
    const node = ofFewTypes(value);
    found.all.push(node);
    if (isOwn) {
      found.own.push(node);
    }
    Object.entries(value).forEach(([member, one]) => {
      collect(one, found, { depth: depth + 1, isOwn: isOwn && !OF_OTHERS.has(member) });
    });
  }
}

/**
 * The maximum number of types that are read from a JSON-LD object. The limit saves time, because the search for each
 * metadata field checks all types.
 */
const MOST_TYPES = 10;

function ofFewTypes(node: LdNode): LdNode {
  const types = node['@type'];
  return Array.isArray(types) && types.length > MOST_TYPES
    ? { ...node, '@type': types.slice(0, MOST_TYPES) }
    : node;
}

export const isNode = (value: unknown): value is LdNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Parses the JSON of a JSON-LD script. Accepts deviations from JSON: comment and CDATA wrappers, control characters in
 * strings, and trailing commas.
 */
function parsed(script: string): unknown {
  const bare = script
    .replace(/^\s*(?:\/\*\s*)?(?:\/\/\s*)?(?:<!\[CDATA\[|<!--)(?:\s*\*\/)?/u, '')
    .replace(/(?:\/\*\s*|\/\/\s*)?(?:\]\]>|-->)(?:\s*\*\/)?\s*$/u, '')
    .replace(/;\s*$/u, '');
  return parsedAs(bare) ?? parsedAs(repaired(bare));
}

const repaired = (json: string): string =>
  json.replace(/[\u0000-\u001f]+/gu, ' ').replace(/,\s*([\]}])/gu, '$1');

function parsedAs(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/**
 * Returns the text of a JSON-LD value: the value itself if it is a text, or the name of an object. If the value is a
 * list, returns the text of its first entry.
 */
export function ldText(value: unknown): string {
  let first = value;
  // Not recursive, because a page can nest so many lists that recursion would exceed the call stack.
  while (Array.isArray(first)) {
    first = ldList(first)[0];
  }
  return typeof first === 'string' ? first.trim() : isNode(first) ? ldName(first) : '';
}

const ldName = (node: LdNode): string => {
  const name = node['name'] ?? node['@value'];
  return typeof name === 'string' ? name.trim() : '';
};

export const ldList = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];

/**
 * Returns the types of a JSON-LD object without the address of their vocabulary, such as `Article` for
 * `https://schema.org/Article`.
 */
export const ldTypes = (node: LdNode): readonly string[] =>
  ldList(node['@type']).flatMap((type) =>
    typeof type === 'string' ? [type.replace(/^.*[/#:]/u, '')] : [],
  );

const ARTICLE =
  /^(?:.*Article|BlogPosting|LiveBlogPosting|SocialMediaPosting|DiscussionForumPosting|Report|Review|Recipe|CriticReview|APIReference|HowTo)$/u;

export const isArticleNode = (node: LdNode): boolean =>
  ldTypes(node).some((type) => ARTICLE.test(type));

const ofType = (nodes: readonly LdNode[], pattern: RegExp): LdNode[] =>
  nodes.filter((node) => ldTypes(node).some((type) => pattern.test(type)));

/** Returns the JSON-LD objects that may describe the page itself. The most likely objects come first. */
export const mainNodes = (nodes: readonly LdNode[]): readonly LdNode[] => [
  ...nodes.filter(isArticleNode),
  ...ofType(
    nodes,
    /^(?:VideoObject|PodcastEpisode|Book|Event|Course|Product|NewsMediaOrganization)$/u,
  ),
  ...ofType(nodes, /^(?:WebPage|ItemPage|AboutPage|FAQPage|CreativeWork|MediaObject)$/u),
];

/** Resolves a reference `{"@id": …}` to the JSON-LD object with this id. Returns any other value unchanged. */
export function dereferenced(value: unknown, nodes: readonly LdNode[]): unknown {
  const id = isNode(value) && Object.keys(value).length <= 2 ? value['@id'] : undefined;
  return typeof id === 'string'
    ? (nodes.find((node) => node['@id'] === id && node['name'] !== undefined) ?? value)
    : value;
}
