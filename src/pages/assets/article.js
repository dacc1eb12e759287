// The page of an article: keeps the reading position, marks selected words, and reads keys. Everything here can also be
// done by the forms of the page.

const KEEP_EVERY_MS = 2000;
const CONTEXT = 64;
/** A selection of this many characters is certainly no passage. */
const MOST_QUOTED = 20000;

/**
 * @template {Element} T
 * @param {string} id
 * @param {new () => T} type
 * @returns {T | undefined}
 */
function byId(id, type) {
  const found = document.getElementById(id);
  return found instanceof type ? found : undefined;
}

/**
 * @param {HTMLElement} reading
 * @param {HTMLElement} text
 */
function keepPlace(reading, text) {
  const minutes = Number(reading.dataset.minutes);
  const paragraphs = [...text.querySelectorAll('[id^="p-"]')];
  const form = byId('place-form', HTMLFormElement);
  const left = byId('minutes-left', HTMLElement);
  let kept = Number(reading.dataset.fraction);
  let hasMoved = false;
  /** @type {number | undefined} */
  let timer;

  const fraction = () => {
    const { top, height } = text.getBoundingClientRect();
    const room = height - window.innerHeight;
    return room <= 0 ? Number(top < 0) : Math.min(1, Math.max(0, -top / room));
  };
  /** The first paragraph that ends below the upper edge; they come in the order of the text. */
  const paragraph = () => {
    let [low, high] = [0, paragraphs.length - 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((paragraphs[middle]?.getBoundingClientRect().bottom ?? 0) > 0) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  };
  const show = () => {
    if (left && minutes > 0) {
      left.textContent = `${Math.ceil(minutes * (1 - fraction()))} min left`;
      left.hidden = false;
    }
  };
  const keep = () => {
    clearTimeout(timer);
    timer = undefined;
    const now = fraction();
    if (!form || !hasMoved || Math.abs(now - kept) < 0.001) {
      return;
    }
    kept = now;
    const token = new FormData(form).get('_csrf');
    const fields = { fraction: now.toFixed(4), paragraph: String(paragraph()) };
    const body = new URLSearchParams({ ...fields, at: String(Date.now()), _csrf: String(token) });
    const headers = { Accept: 'application/json' };
    fetch(form.action, { method: 'POST', body, headers, keepalive: true }).catch(() => undefined);
  };
  const takeUp = () => {
    const place = text.querySelector(`#p-${reading.dataset.paragraph ?? 'none'}`);
    if (place && location.hash === '') {
      history.scrollRestoration = 'manual';
      place.scrollIntoView({ behavior: 'instant' });
    }
  };

  takeUp();
  show();
  for (const type of ['wheel', 'touchmove', 'keydown', 'pointerdown']) {
    addEventListener(type, () => (hasMoved = true), { passive: true });
  }
  addEventListener(
    'scroll',
    () => {
      show();
      timer ??= setTimeout(keep, KEEP_EVERY_MS);
    },
    { passive: true },
  );
  addEventListener('pagehide', keep);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') {
      keep();
    }
  });
}

/** @param {HTMLElement} text */
function markSelections(text) {
  const bar = byId('selection-bar', HTMLElement);
  const form = byId('highlight-form', HTMLFormElement);
  const quote = byId('quote', HTMLTextAreaElement);
  const note = byId('note', HTMLTextAreaElement);
  if (!bar || !form || !quote || !note) {
    return;
  }
  let selected = { quote: '', before: '' };

  document.addEventListener('selectionchange', () => {
    const selection = getSelection();
    const range = selection?.rangeCount ? selection.getRangeAt(0) : undefined;
    const words = selection?.toString().trim() ?? '';
    const isInside = range !== undefined && text.contains(range.commonAncestorContainer);
    if (!isInside || words === '' || words.length > MOST_QUOTED) {
      // The words stay known while a button of the bar has the focus.
      bar.hidden = !bar.contains(document.activeElement);
      return;
    }
    const before = document.createRange();
    before.setStart(text, 0);
    before.setEnd(range.startContainer, range.startOffset);
    selected = { quote: words, before: before.toString().slice(-CONTEXT) };
    bar.hidden = false;
  });

  /** @param {string | undefined} how */
  const mark = (how) => {
    if (bar.hidden || selected.quote === '') {
      return;
    }
    quote.value = selected.quote;
    const before = form.elements.namedItem('before');
    if (before instanceof HTMLInputElement) {
      before.value = selected.before;
    }
    if (how === 'note') {
      form.closest('details')?.setAttribute('open', '');
      note.focus();
    } else {
      form.requestSubmit();
    }
  };
  bar.addEventListener('pointerdown', (event) => {
    event.preventDefault();
  });
  bar.addEventListener('click', ({ target }) => {
    mark(target instanceof HTMLElement ? target.dataset.mark : undefined);
  });
  onKey('h', () => {
    mark('plain');
  });
  onKey('n', () => {
    mark('note');
  });
}

/** @type {Map<string, () => void>} */
const keys = new Map();

/**
 * @param {string} key
 * @param {() => void} action
 */
function onKey(key, action) {
  keys.set(key, action);
}

/** @param {EventTarget | null} target */
const isTyped = (target) =>
  target instanceof HTMLElement && target.closest('input, textarea, select') !== null;

function readKeys() {
  document.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (isTyped(target) || ctrlKey || metaKey || altKey) {
      return;
    }
    const control = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
    const action = keys.get(key);
    if (action) {
      event.preventDefault();
      action();
    } else if (control instanceof HTMLElement) {
      event.preventDefault();
      control.click();
    }
  });
}

/** @param {HTMLElement} text */
function leadToNotes(text) {
  text.addEventListener('click', ({ target }) => {
    const mark = target instanceof Element ? target.closest('mark[data-highlights]') : null;
    const [id] = mark?.getAttribute('data-highlights')?.split(' ') ?? [];
    if (id !== undefined && target instanceof Element && !target.closest('a')) {
      location.hash = `note-${id}`;
    }
  });
}

const reading = byId('reading', HTMLElement);
const text = byId('article-text', HTMLElement);
if (reading && text) {
  keepPlace(reading, text);
  markSelections(text);
  leadToNotes(text);
}
readKeys();
