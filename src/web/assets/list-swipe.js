/**
 * Swipes on touch screens. A swipe to the right archives an item, a swipe to the left deletes it. From right to left,
 * in a page of that direction, the sides are exchanged. Each swipe clicks a button of the item.
 */

/** The distance in pixels after which a movement is a swipe. */
const BEGINS = 14;
/** The share of the item's width after which the swipe runs its action. */
const SHARE = 0.3;
const MOST_PIXELS = 120;

/** @typedef {{ item: HTMLElement, id: number, x: number, y: number, dx: number, reveal: HTMLElement | undefined, button: HTMLButtonElement | undefined }} Swipe */

/** @type {Swipe | undefined} */
let swipe;

export function followSwipes() {
  document.addEventListener('pointerdown', beginSwipe);
  document.addEventListener('pointermove', move);
  document.addEventListener('pointerup', () => {
    end(true);
  });
  // The browser cancels the pointer if it scrolls the page.
  document.addEventListener('pointercancel', () => {
    end(false);
  });
}

/**
 * Begins a swipe, if the user touches an item.
 * @param {PointerEvent} event
 */
export function beginSwipe({
  pointerType,
  isPrimary,
  target,
  pointerId: id,
  clientX: x,
  clientY: y,
}) {
  const item = target instanceof Element ? target.closest('.items > li') : null;
  const isFree = target instanceof Element && target.closest('button, summary') === null;
  end(false);
  if (pointerType === 'touch' && isPrimary && isFree && item instanceof HTMLElement) {
    swipe = { item, id, x, y, dx: 0, reveal: undefined, button: undefined };
  }
}

/** @param {PointerEvent} event */
function move({ pointerId, clientX, clientY }) {
  if (swipe === undefined || swipe.id !== pointerId) {
    return;
  }
  const dx = clientX - swipe.x;
  const dy = clientY - swipe.y;
  if (swipe.reveal === undefined && Math.abs(dx) < BEGINS) {
    return;
  }
  if (swipe.reveal === undefined && Math.abs(dx) < 2 * Math.abs(dy)) {
    swipe = undefined;
    return;
  }
  drag(swipe, dx);
}

/** @param {Swipe} current @param {number} dx */
function drag(current, dx) {
  const { item } = current;
  if (current.reveal === undefined || Math.sign(dx) !== Math.sign(current.dx)) {
    showAction(current, dx);
  }
  current.dx = dx;
  item.classList.add('swiped');
  item.style.transform = `translateX(${dx}px)`;
  current.reveal?.classList.toggle('ready', isFarEnough(current));
}

/**
 * Shows the action on the side from which the item has moved away.
 * @param {Swipe} current
 * @param {number} dx
 */
function showAction(current, dx) {
  const button = buttonFor(current.item, dx);
  current.button = button;
  current.reveal?.remove();
  current.reveal = revealOf(button, dx);
  current.item.append(current.reveal);
}

/** @param {HTMLButtonElement | undefined} button @param {number} dx */
function revealOf(button, dx) {
  const reveal = document.createElement('div');
  reveal.className = `reveal ${dx > 0 ? 'start' : 'end'}`;
  reveal.setAttribute('aria-hidden', 'true');
  if (button !== undefined) {
    const icon = button.querySelector('svg');
    reveal.classList.toggle('deletes', button.value.startsWith('delete:'));
    reveal.append(...(icon ? [icon.cloneNode(true)] : []), button.title);
  }
  return reveal;
}

/** @param {HTMLElement} item @param {number} dx */
function buttonFor(item, dx) {
  const isRtl = getComputedStyle(item).direction === 'rtl';
  const actions = dx > 0 === isRtl ? ['delete'] : ['archive', 'readd'];
  return [...item.querySelectorAll('button')].find(({ value }) =>
    actions.some((action) => value.startsWith(`${action}:`)),
  );
}

/** @param {Swipe} current */
const isFarEnough = ({ item, dx }) =>
  Math.abs(dx) >= Math.min(MOST_PIXELS, item.clientWidth * SHARE);

/** @param {boolean} mayAct */
function end(mayAct) {
  const ended = swipe;
  swipe = undefined;
  if (ended?.reveal === undefined) {
    return;
  }
  const { item, reveal, button } = ended;
  item.classList.add('settling');
  item.style.transform = '';
  item.classList.remove('swiped');
  reveal.remove();
  ignoreClick(item);
  if (mayAct && isFarEnough(ended)) {
    button?.click();
  }
}

/**
 * Ignores the click that some browsers send at the end of a swipe.
 * @param {HTMLElement} item
 */
function ignoreClick(item) {
  /** @param {MouseEvent} event */
  const ignore = (event) => {
    if (event.isTrusted) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  item.addEventListener('click', ignore, { capture: true });
  setTimeout(() => {
    item.classList.remove('settling');
    item.removeEventListener('click', ignore, { capture: true });
  }, 200);
}
