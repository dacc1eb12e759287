import { attribute, type DomElement, lineOf, startOf } from '../dom.js';
import { controlledBy } from './revealed.js';

/** Matches labels of buttons that do not name the text that they show. */
const UNNAMED =
  /^(?:(?:read|show|see|view|load|learn|continue|toggle|expand|open|close|hide|collapse)(?!\p{L}).{0,40}|mehr.{0,30}|weiter\s?lesen.{0,20}|(?:alles )?anzeigen|ausklappen|(?:lire|voir|afficher)(?!\p{L}).{0,30}|(?:leer|ver|mostrar)(?!\p{L}).{0,30}|(?:leggi|mostra)(?!\p{L}).{0,30}|続きを?読む|もっと.{0,12}|展开.{0,12}|阅读全文|[^\p{L}\p{N}]*)$/iu;
const LONGEST_LABEL = 160;
const MOST_PANELS = 500;
const HEADING = /^h[1-6]$/u;
const LAST_LEVEL = 6;

/**
 * Writes the label of each tab and of each button that opens a text as a heading above this text. Without the headings,
 * a reader could not distinguish the texts.
 */
export class TabLabels {
  readonly #tabs: DomElement[] = [];
  readonly #panels: { readonly element: DomElement; readonly level: number }[] = [];
  readonly #openers = new Map<string, DomElement>();
  readonly #labels: DomElement[] = [];
  /** The ids of the fields that a label can switch. */
  readonly #boxes = new Set<string>();
  #level = 1;

  look(element: DomElement): void {
    const role = attribute(element, 'role');
    if (HEADING.test(element.localName)) {
      this.#level = Number(element.localName.slice(1));
    } else if (role === 'tabpanel') {
      this.#panels.push({ element, level: this.#level });
    }
    if (role === 'tab') {
      this.#tabs.push(element);
    }
    this.#lookAtField(element);
    for (const id of controlledBy(element)) {
      if (!this.#openers.has(id)) {
        this.#openers.set(id, element);
      }
    }
  }

  #lookAtField(element: DomElement): void {
    if (element.localName === 'label' && this.#boxes.has(attribute(element, 'for'))) {
      this.#labels.push(element);
    } else if (element.localName === 'input') {
      this.#boxes.add(attribute(element, 'id'));
    }
  }

  get controlled(): ReadonlySet<string> {
    return new Set(this.#openers.keys());
  }

  /** Returns true if each tab belongs to a panel, so that the order of the tabs is the order of the panels. */
  get #isInOrder(): boolean {
    return this.#tabs.length === this.#panels.length;
  }

  write(): void {
    this.#panels.slice(0, MOST_PANELS).forEach(({ element, level }, index) => {
      const tab =
        this.#openers.get(attribute(element, 'id')) ??
        (this.#isInOrder ? this.#tabs[index] : undefined);
      if (tab && !tab.contains(element) && isShown(element)) {
        writeHeading(tab, element, level);
      }
    });
    this.#writeOpeners();
    writeLabels(this.#labels.slice(0, MOST_PANELS), this.#level);
  }

  #writeOpeners(): void {
    for (const [id, opener] of [...this.#openers].slice(0, MOST_PANELS)) {
      const next = opener.nextElementSibling;
      const isLabel =
        opener.localName === 'button' && opener.closest('h1, h2, h3, h4, h5, h6') === null;
      if (isLabel && next !== null && attribute(next, 'id') === id && isShown(next)) {
        writeHeading(opener, next, this.#level);
      }
    }
  }
}

const isShown = (element: DomElement): boolean =>
  !element.hasAttribute('hidden') && startOf(element, 1) !== '';

/** Moves the label of a tab into a heading at the beginning of its panel. */
function writeHeading(tab: DomElement, panel: DomElement, level: number): void {
  const label = startOf(tab, LONGEST_LABEL).length < LONGEST_LABEL ? lineOf(tab) : '';
  const isHeaded = HEADING.test(panel.firstElementChild?.localName ?? '');
  if (!isHeaded && label !== '' && !UNNAMED.test(label)) {
    const heading = panel.ownerDocument.createElement(
      `h${String(Math.min(level + 1, LAST_LEVEL))}`,
    );
    heading.textContent = label;
    panel.prepend(heading);
  }
  removeWithEmpty(tab);
}

/** Removes an element, and its parent if the parent has no other content. */
function removeWithEmpty(element: DomElement): void {
  const parent = element.parentElement;
  element.remove();
  if (parent !== null && parent.firstElementChild === null && startOf(parent, 1).trim() === '') {
    parent.remove();
  }
}

const BOXES: ReadonlySet<string> = new Set(['div', 'section', 'article', 'ul']);

/**
 * Writes labels as headings above the texts that they show without a script: either each label is before its text, or
 * all labels are before a box with as many texts.
 */
function writeLabels(labels: readonly DomElement[], level: number): void {
  const parents = new Set(labels.map(({ parentElement }) => parentElement));
  for (const parent of parents) {
    const own = labels.filter((label) => label.parentElement === parent);
    const box = parent?.nextElementSibling;
    const texts = box ? [...box.children] : [];
    const areTogether = own.length > 1 && texts.length === own.length;
    own.forEach((label, index) => {
      const text = areTogether ? texts[index] : label.nextElementSibling;
      if (text && BOXES.has(text.localName)) {
        writeHeading(label, text, level);
      }
    });
  }
}
