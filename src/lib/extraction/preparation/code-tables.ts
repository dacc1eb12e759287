import { attribute, type DomElement, labelOf, startOf } from '../dom.js';
import { LONGEST_NUMBERS, NUMBERS } from './code-lines.js';

/** Matches the classes of tables and cells in which pages show code beside its line numbers. */
const CODE =
  /(?:^|[\s_-])(?:highlight\w*|codehilite|blob-code|line_content|code|hljs\w*|rouge|crayon|syntaxhighlighter|js-file-line-container|diff)(?:$|[\s_-])/iu;

/**
 * Returns a `<pre>` in place of a table that shows code beside its line numbers. Each row of the table is a line, or the
 * only row contains all lines.
 * @returns undefined if the table is not such a table
 */
export function codeOfTable(table: DomElement): DomElement | undefined {
  if (!isMarked(table)) {
    return undefined;
  }
  const rows = [...table.querySelectorAll('tr')].map(codeCells);
  if (rows.length === 0 || rows.some((cells) => cells === undefined || cells.length > 1)) {
    return undefined;
  }
  const pre = table.ownerDocument.createElement('pre');
  pre.setAttribute('class', attribute(table, 'class'));
  for (const [cell] of rows.map((cells) => cells ?? [])) {
    const line = table.ownerDocument.createElement('div');
    for (let node = cell?.firstChild; node; node = cell?.firstChild) {
      line.appendChild(node);
    }
    pre.appendChild(line);
  }
  table.replaceWith(pre);
  return pre;
}

const isMarked = (table: DomElement): boolean =>
  CODE.test(labelOf(table)) ||
  (table.parentElement !== null && CODE.test(labelOf(table.parentElement))) ||
  table.querySelector('td.code, td.blob-code, td.rouge-code, td.hljs-ln-code, td pre') !== null;

/**
 * Returns the cells of a row without line numbers. Returns undefined if a cell contains something else than code.
 */
function codeCells(row: DomElement): readonly DomElement[] | undefined {
  const all = [...row.children];
  const cells = all.filter(
    (cell, at) => !isNumber(cell) && !(at < all.length - 1 && isDigits(cell)),
  );
  return cells.every(isCode) ? cells : undefined;
}

const isCode = (cell: DomElement): boolean =>
  CODE.test(labelOf(cell)) || cell.querySelector('pre') !== null;

function isNumber(cell: DomElement): boolean {
  const isNamed = NUMBERS.test(labelOf(cell)) || cell.hasAttribute('data-line-number');
  return (isNamed || !isCode(cell)) && isDigits(cell);
}

const isDigits = (cell: DomElement): boolean =>
  /^[\d\s.+-]*$/u.test(startOf(cell, LONGEST_NUMBERS).trim());
