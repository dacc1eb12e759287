import { serverIn } from './lib/address.js';
import { connection } from './lib/connection.js';
import { ask, element } from './lib/elements.js';
import { isObject, permissionFor, textIn } from './lib/service.js';

const state = element('state', HTMLParagraphElement);
const server = element('server', HTMLInputElement);
const serverError = element('server-error', HTMLParagraphElement);
const showsSaved = element('shows-saved', HTMLInputElement);
const connected = element('connected', HTMLElement);

async function render() {
  const known = await connection();
  const { attempt, problem } = {
    ...(await chrome.storage.session.get('attempt')),
    ...(await chrome.storage.session.get('problem')),
  };
  connected.hidden = known === undefined;
  state.classList.toggle('failed', isObject(problem));
  state.textContent = sentenceOf(known, attempt, problem);
  if (known !== undefined) {
    element('account', HTMLAnchorElement).href = `${known.server}/account`;
    server.value ||= known.server;
  }
  const { showsSaved: isWanted } = await chrome.storage.local.get('showsSaved');
  showsSaved.checked = isWanted === true;
}

/**
 * Returns the sentence that the settings page shows about the connection.
 * @param {import('./lib/connection.js').Connection | undefined} known
 * @param {unknown} attempt
 * @param {unknown} problem
 */
function sentenceOf(known, attempt, problem) {
  if (isObject(problem)) {
    return textIn(problem['text']);
  }
  if (isObject(attempt)) {
    return 'Go on in the tab that has opened: log in, and give access.';
  }
  return known === undefined
    ? 'Not connected.'
    : `Connected to ${known.server} as ${known.username}.`;
}

/** @param {string} text */
function complain(text) {
  serverError.hidden = text === '';
  serverError.textContent = text;
  server.setAttribute('aria-invalid', String(text !== ''));
  if (text !== '') {
    server.focus();
  }
}

// Requests the host permission before the first `await`, because browsers reject a permission request after an `await`.
element('connect', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  const address = serverIn(server.value);
  if (address === undefined) {
    complain('This is no address of a server. Type it as you open it in the browser.');
    return;
  }
  complain('');
  server.value = address;
  const key = element('key', HTMLInputElement).value.trim();
  void chrome.permissions.request(permissionFor(address)).then(async (isAllowed) => {
    if (isAllowed) {
      await ask({ command: 'connect', server: address, key });
    } else {
      complain('Without this permission the extension cannot reach your Satchel.');
    }
  });
});

element('disconnect', HTMLButtonElement).addEventListener('click', () => {
  void ask({ command: 'disconnect' });
});

showsSaved.addEventListener('change', () => {
  const isWanted = showsSaved.checked;
  const wanted = { permissions: ['tabs'] };
  const changed = isWanted ? chrome.permissions.request(wanted) : chrome.permissions.remove(wanted);
  void changed.then((isDone) => chrome.storage.local.set({ showsSaved: isWanted && isDone }));
});

chrome.storage.onChanged.addListener(() => void render());
await render();
