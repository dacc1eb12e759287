import { element, isBlank, isBlock, type Tree, type TreeElement } from './article-tree.js';

type Valid = (children: readonly Tree[]) => Tree[];

/** Returns a list in which every child is a list item. Puts any other child into a new list item. */
export function validList({ tag, attributes, children }: TreeElement, valid: Valid): Tree[] {
  const items: Tree[] = [];
  for (const child of children.filter((one) => !isBlank(one))) {
    const isItem = isBlock(child) && child.tag === 'li';
    const inner = valid(isItem ? child.children : [child]);
    if (!inner.every(isBlank)) {
      items.push(element('li', inner, isItem ? itemAttributes(tag, child) : {}));
    }
  }
  return items.length === 0 ? [] : [element(tag, items, attributes)];
}

/**
 * Returns the attributes of a list item. Keeps the attribute `value` only in numbered lists, because HTML does not
 * allow this attribute in other lists.
 */
function itemAttributes(list: string, { attributes }: TreeElement): TreeElement['attributes'] {
  const { value, ...others } = attributes;
  return list === 'ol' && value !== undefined ? attributes : others;
}

interface DescriptionContent {
  readonly term: Valid;
  readonly description: Valid;
}

/**
 * Converts terms and their descriptions to a `dl` element. If HTML does not allow their order, converts them to
 * paragraphs.
 */
export function validDescriptions(
  { attributes, children }: TreeElement,
  { term, description }: DescriptionContent,
): Tree[] {
  const parts = partsOf(children).flatMap((part) => {
    const inner = part.tag === 'dt' ? term(part.children) : description(part.children);
    return inner.every(isBlank) ? [] : [element(part.tag, inner, part.attributes)];
  });
  const order = parts.map(({ tag }) => (tag === 'dt' ? 't' : 'd')).join('');
  if (/^(?:t+d+)+$/.test(order)) {
    return [element('dl', parts, attributes)];
  }
  return parts.map(({ tag, children: inner }) =>
    tag === 'dt' ? element('p', [element('strong', inner)]) : element('div', inner),
  );
}

/**
 * Returns the terms and descriptions of a description list, even if they are inside `div` groups. Any other child
 * becomes a description.
 */
const partsOf = (children: readonly Tree[]): TreeElement[] =>
  children
    .filter((child) => !isBlank(child))
    .flatMap((child) => {
      if (isBlock(child) && (child.tag === 'dt' || child.tag === 'dd')) {
        return [child];
      }
      const isGroup = isBlock(child) && child.tag === 'div' && child.children.some(isPart);
      return isGroup ? partsOf(child.children) : [element('dd', [child])];
    });

const isPart = (tree: Tree): boolean => isBlock(tree) && (tree.tag === 'dt' || tree.tag === 'dd');
