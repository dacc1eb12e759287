import { element, isBlank, isBlock, type Tree, type TreeElement } from './article-tree.js';
import { type PictureFinder, validInline } from './valid-inline.js';
import { validDescriptions, validList } from './valid-lists.js';
import { validTable } from './valid-table.js';

/**
 * The maximum number of inline elements that are repeated inside each block, which limits the size
 * of the output. HTML does not allow a block inside an inline element. An inline element around
 * several blocks is therefore repeated inside each of them.
 */
const MOST_WRAPPERS = 4;

/** The context in which a part of an article is converted. */
export interface Surroundings {
  readonly pictures: PictureFinder;
  /**
   * The inline elements around the converted part, beginning with the outermost element. HTML does not allow a block
   * inside an inline element, so these inline elements are repeated inside each block.
   */
  readonly wrappers: readonly TreeElement[];
}

/**
 * Converts a part of an article to valid flow content, which may contain blocks (HTML, content models). Unlike
 * browsers, e-readers and bookstores reject invalid HTML.
 */
export function validFlow(children: readonly Tree[], around: Surroundings): Tree[] {
  const flow: Tree[] = [];
  let run: Tree[] = [];
  const endRun = (): void => {
    flow.push(...wrapped(run, around));
    run = [];
  };
  for (const child of children) {
    if (isBlock(child)) {
      endRun();
      flow.push(...validBlock(child, around));
    } else if (typeof child !== 'string' && child.holdsBlock) {
      endRun();
      flow.push(...validFlow(child.children, within(child, around)));
    } else {
      run.push(child);
    }
  }
  endRun();
  return flow;
}

/**
 * Converts a part of an article to valid phrasing content, which contains no blocks. A line break replaces each
 * boundary between blocks.
 */
const validPhrasing = (
  children: readonly Tree[],
  around: Surroundings,
  lineBreak: Tree = element('br', []),
): Tree[] => wrapped(children.some(holdsBlock) ? flat(children, lineBreak) : children, around);

const holdsBlock = (tree: Tree): boolean =>
  isBlock(tree) || (typeof tree !== 'string' && tree.holdsBlock);

function flat(children: readonly Tree[], lineBreak: Tree): Tree[] {
  const pieces: Tree[] = [];
  let isDue = false;
  const isAmongBlocks = children.some(isBlock);
  for (const child of children.filter((one) => !isAmongBlocks || !isBlank(one))) {
    const breaks = isBlock(child);
    if ((isDue || breaks) && pieces.length > 0) {
      pieces.push(lineBreak);
    }
    isDue = breaks;
    if (typeof child === 'string' || !holdsBlock(child)) {
      pieces.push(child);
    } else {
      const inner = flat(child.children, lineBreak);
      pieces.push(...(breaks ? inner : [element(child.tag, inner, child.attributes)]));
    }
  }
  return pieces;
}

const within = (wrapper: TreeElement, around: Surroundings): Surroundings =>
  around.wrappers.length < MOST_WRAPPERS && !around.wrappers.some(({ tag }) => tag === wrapper.tag)
    ? { ...around, wrappers: [...around.wrappers, wrapper] }
    : around;

function wrapped(run: readonly Tree[], { pictures, wrappers }: Surroundings): Tree[] {
  if (run.every(isBlank)) {
    return [...run];
  }
  const tree = wrappers.reduceRight<readonly Tree[]>(
    (inner, { tag, attributes }) => [element(tag, inner, attributes)],
    run,
  );
  return validInline(tree, pictures);
}

/** Returns a block with valid content. Returns an empty array if the block shows nothing. */
function validBlock(block: TreeElement, around: Surroundings): Tree[] {
  switch (block.tag) {
    case 'hr':
      return [block];
    case 'ul':
    case 'ol':
      return validList(block, (children) => validFlow(children, around));
    case 'dl':
      return validDescriptions(block, {
        term: (children) => validPhrasing(children, around),
        description: (children) => validFlow(children, around),
      });
    case 'table':
      return validTable(block, {
        heading: (children) => validPhrasing(children, around),
        cell: (children) => validFlow(children, around),
      });
    case 'figure':
      return validFigure(block, around);
    default:
      return validText(block, around);
  }
}

const LINES = new Set(['h2', 'h3', 'h4', 'h5', 'h6', 'pre']);
const KEPT = new Set([...LINES, 'blockquote']);

function validText({ tag, attributes, children, ...block }: TreeElement, around: Surroundings) {
  const isParagraph = tag === 'p' && !block.holdsBlock;
  const inner =
    isParagraph || LINES.has(tag)
      ? validPhrasing(children, around, tag === 'pre' ? '\n' : undefined)
      : validFlow(children, around);
  const shown = isParagraph || KEPT.has(tag) ? tag : 'div';
  return inner.every(isBlank) ? [] : [element(shown, inner, attributes)];
}

/** Returns a valid figure, in which the first caption is at the end. Further captions become ordinary content. */
function validFigure({ attributes, children }: TreeElement, around: Surroundings): Tree[] {
  const caption = children.find(isCaption);
  const content = validFlow(
    children.filter((child) => child !== caption),
    around,
  );
  const inner = caption === undefined ? [] : captionOf(caption, around);
  return [...content, ...inner].every(isBlank)
    ? []
    : [element('figure', [...content, ...inner], attributes)];
}

const isCaption = (tree: Tree): tree is TreeElement => isBlock(tree) && tree.tag === 'figcaption';

function captionOf({ attributes, children }: TreeElement, around: Surroundings): Tree[] {
  const inner = validFlow(children, around);
  return inner.every(isBlank) ? [] : [element('figcaption', inner, attributes)];
}
