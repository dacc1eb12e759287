import {
  attribute,
  type DomElement,
  type DomNode,
  isElement,
  isText,
  squeezed,
  startOf,
} from '../dom.js';
import type { Block } from './blocks.js';
import type { GoneLines } from './gone-lines.js';

const PLAYERS: ReadonlySet<string> = new Set(['video', 'audio', 'iframe']);
/** Nothing in these is shown. */
const UNSEEN: ReadonlySet<string> = new Set(
  'script style noscript template object embed svg math head title'.split(' '),
);
/** Where one of these leaves its row, the others stand in the wrong columns. */
const CELLS: ReadonlySet<string> = new Set(['td', 'th']);
const PICTURE_FILE = /\.(?:avif|gif|jpe?g|png|webp)(?:$|[?#])/iu;

/** What a node has to show, or whether it has lost what it had. */
interface Left {
  /** A text of the article, a player, or a picture. */
  readonly isContent: boolean;
  /** Pictures that lead to other pages. */
  readonly isTeaser: boolean;
  readonly hasLost: boolean;
  /** Of what it has lost something led to other pages. */
  readonly hasLostAround: boolean;
}

const NOTHING: Left = { isContent: false, isTeaser: false, hasLost: false, hasLostAround: false };
const CONTENT: Left = { ...NOTHING, isContent: true };

/** What stands around a node. */
interface Place {
  readonly isInLink: boolean;
  /** Its words say what a button does. */
  readonly isSilent: boolean;
}

/**
 * Takes lines out of the tree of an article, with the elements that held nothing else. Pictures and players stay, but for
 * pictures that lead to other pages beside lines that do.
 */
export function removeLines(root: DomElement, { around, labels }: GoneLines): void {
  const remover = new LineRemover(nodesOf(around), nodesOf(labels));
  remover.visit(root, { isInLink: false, isSilent: false });
}

const nodesOf = (lines: readonly Block[]): ReadonlySet<DomNode> =>
  new Set(lines.flatMap(({ nodes }) => nodes));

class LineRemover {
  constructor(
    private readonly around: ReadonlySet<DomNode>,
    private readonly labels: ReadonlySet<DomNode>,
  ) {}

  /** Takes out what has to go below an element, and tells what is left of it. */
  visit(parent: DomElement, place: Place): Left {
    let left = NOTHING;
    for (let node = parent.firstChild, next = node; node; node = next) {
      next = node.nextSibling;
      const found = isElement(node) ? this.#element(node, place) : this.#text(node, place);
      if (isGone(found) && !(isElement(node) && CELLS.has(node.localName))) {
        node.remove();
      }
      left = together(left, found);
    }
    return left;
  }

  #element(element: DomElement, place: Place): Left {
    const name = element.localName;
    if (PLAYERS.has(name)) {
      return CONTENT;
    }
    if (name === 'img') {
      return { ...NOTHING, isContent: !place.isInLink, isTeaser: place.isInLink };
    }
    if (UNSEEN.has(name)) {
      return NOTHING;
    }
    return this.visit(element, {
      isInLink: place.isInLink || isLinkToPage(element),
      isSilent: place.isSilent || isSilent(element),
    });
  }

  #text(node: DomNode, { isSilent }: Place): Left {
    if (!isText(node) || !/\S/u.test(node.textContent ?? '')) {
      return NOTHING;
    }
    const hasLostAround = this.around.has(node);
    return hasLostAround || isSilent || this.labels.has(node)
      ? { ...NOTHING, hasLost: true, hasLostAround }
      : CONTENT;
  }
}

const isLinkToPage = (element: DomElement): boolean =>
  element.localName === 'a' && !PICTURE_FILE.test(attribute(element, 'href'));

/** Of more words a button opens something that is named by them, such as the answer to a question. */
const MOST_WORDS_OF_BUTTON = 3;

const isSilent = (element: DomElement): boolean =>
  element.localName === 'button' &&
  squeezed(startOf(element, LONGEST_READ)).split(' ').length <= MOST_WORDS_OF_BUTTON;

const LONGEST_READ = 200;

const isGone = ({ isContent, isTeaser, hasLost, hasLostAround }: Left): boolean =>
  !isContent && (hasLostAround || (hasLost && !isTeaser));

const together = (one: Left, other: Left): Left => ({
  isContent: one.isContent || other.isContent,
  isTeaser: one.isTeaser || other.isTeaser,
  hasLost: one.hasLost || other.hasLost,
  hasLostAround: one.hasLostAround || other.hasLostAround,
});
