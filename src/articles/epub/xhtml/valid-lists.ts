import { element, isBlank, isBlock, type Tree, type TreeElement } from './article-tree.js';

type Valid = (children: readonly Tree[]) => Tree[];

/** The list with nothing but items; what stands between them becomes items too. */
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

/** Only items of a numbered list have a number. */
function itemAttributes(list: string, { attributes }: TreeElement): TreeElement['attributes'] {
  const { value, ...others } = attributes;
  return list === 'ol' && value !== undefined ? attributes : others;
}

interface DescriptionContent {
  readonly term: Valid;
  readonly description: Valid;
}

/** The terms and their descriptions; as paragraphs where they do not follow each other as they should. */
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

/** Groups are opened; what is neither term nor description describes. */
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
