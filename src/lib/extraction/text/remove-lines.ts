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
/** Elements without visible content. */
const UNSEEN: ReadonlySet<string> = new Set(
  'script style noscript template object embed svg math head title'.split(' '),
);
/** Table cells. An empty cell stays in its row, because the cells after it would otherwise move to the wrong column. */
const CELLS: ReadonlySet<string> = new Set(['td', 'th']);
const PICTURE_FILE = /\.(?:avif|gif|jpe?g|png|webp)(?:$|[?#])/iu;

/** Describes a node after lines were removed from it: the content that is left, and the kinds of the removed lines. */
interface Left {
  /** True if the node still contains text of the article, a player, or a picture that links to no other page. */
  readonly isContent: boolean;
  /** True if the node contains pictures that link to other pages. */
  readonly isTeaser: boolean;
  readonly hasLost: boolean;
  /** True if a removed line was beside the article's text or in a section after the text. */
  readonly hasLostAround: boolean;
}

const NOTHING: Left = { isContent: false, isTeaser: false, hasLost: false, hasLostAround: false };
const CONTENT: Left = { ...NOTHING, isContent: true };

/** Describes the links and buttons that contain the visited node. */
interface Place {
  readonly isInLink: boolean;
  /**
   * True if the node is inside a button with few words, which only name the action of the button.
   */
  readonly isSilent: boolean;
}

/**
 * Removes lines from the element tree of an article, and the elements that contained only these
 * lines. Keeps players and pictures, with one exception: a picture that links to another page is
 * removed together with a line beside the article's text.
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

  /** Removes lines inside an element. Returns a description of the content that is left. */
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

/**
 * The maximum number of words on a button that only name its action. A button with more words contains content, such as
 * a question whose answer the button opens.
 */
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
