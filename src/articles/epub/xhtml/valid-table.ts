import { element, isBlank, isBlock, type Tree, type TreeElement } from './article-tree.js';

interface CellContent {
  readonly heading: (children: readonly Tree[]) => Tree[];
  readonly cell: (children: readonly Tree[]) => Tree[];
}

interface Section {
  readonly tag: string;
  readonly rows: readonly TreeElement[];
}

/**
 * Returns a valid table, in which the caption, the head, the bodies and the foot follow in this order. A table with a
 * single cell becomes a plain block.
 */
export function validTable({ attributes, children }: TreeElement, content: CellContent): Tree[] {
  const sections = sectionsOf(
    children.filter((child) => !isCaption(child)),
    content,
  );
  const cells = sections.flatMap(({ rows }) => rows.flatMap((row) => row.children));
  const captions = children
    .filter(isCaption)
    .map(({ children: inner }) => content.heading(inner))
    .filter((inner) => !inner.every(isBlank));
  const [only] = cells;
  if (cells.length <= 1 && (only === undefined || isBlock(only))) {
    const alone = only === undefined ? [] : [element('div', only.children)];
    return [...captions.map((inner) => element('p', inner)), ...alone];
  }
  const [first, ...others] = captions;
  const caption = first === undefined ? [] : [element('caption', first)];
  const table = element('table', [...caption, ...inOrder(sections)], attributes);
  return [table, ...others.map((inner) => element('p', inner))];
}

const isCaption = (tree: Tree): tree is TreeElement => isBlock(tree) && tree.tag === 'caption';

/**
 * Returns the sections of a table with the first `thead` at the start and the first `tfoot` at the end. Further heads
 * and feet become bodies.
 */
function inOrder(sections: readonly Section[]): TreeElement[] {
  const head = sections.find(({ tag }) => tag === 'thead');
  const foot = sections.find(({ tag }) => tag === 'tfoot');
  const bodies = sections.filter((section) => section !== head && section !== foot);
  return [
    ...(head === undefined ? [] : [element('thead', head.rows)]),
    ...bodies.map(({ rows }) => element('tbody', rows)),
    ...(foot === undefined ? [] : [element('tfoot', foot.rows)]),
  ];
}

const SECTIONS = new Set(['thead', 'tbody', 'tfoot']);

const isSection = (tree: Tree): tree is TreeElement => isBlock(tree) && SECTIONS.has(tree.tag);

/**
 * Returns the sections of a table with their rows. Puts consecutive rows that are outside of all sections into a new
 * section.
 */
function sectionsOf(children: readonly Tree[], content: CellContent): Section[] {
  const parts: { readonly section: TreeElement | undefined; readonly inner: Tree[] }[] = [];
  for (const child of children.filter((one) => !isBlank(one))) {
    const section = isSection(child) ? child : undefined;
    const last = parts.at(-1);
    if (section === undefined && last !== undefined && last.section === undefined) {
      last.inner.push(child);
    } else {
      parts.push({ section, inner: section === undefined ? [child] : [...section.children] });
    }
  }
  return parts
    .map(({ section, inner }) => ({ tag: section?.tag ?? 'tbody', rows: rowsOf(inner, content) }))
    .filter(({ rows }) => rows.length > 0);
}

const rowsOf = (children: readonly Tree[], content: CellContent): TreeElement[] =>
  children
    .filter((child) => !isBlank(child))
    .flatMap((child) => {
      const isRow = isBlock(child) && child.tag === 'tr';
      const cells = cellsOf(isRow ? child.children : [child], content);
      return cells.length === 0 ? [] : [element('tr', cells, isRow ? child.attributes : {})];
    });

const cellsOf = (children: readonly Tree[], { heading, cell }: CellContent): TreeElement[] =>
  children
    .filter((child) => !isBlank(child))
    .flatMap((child) => {
      if (isBlock(child) && child.tag === 'th') {
        return [element('th', heading(child.children), child.attributes)];
      }
      if (isBlock(child) && child.tag === 'td') {
        return [element('td', cell(child.children), child.attributes)];
      }
      const inner = cell([child]);
      return inner.every(isBlank) ? [] : [element('td', inner)];
    });
