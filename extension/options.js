import { serverIn } from './lib/address.js';
import { connection } from './lib/connection.js';
import { ask, element } from './lib/elements.js';
import { isObject, permissionFor, textIn } from './lib/service.js';
import { fillTexts, text } from './lib/texts.js';

const ALL_SITES = ['http://*/*', 'https://*/*'];

const state = element('state', HTMLParagraphElement);
const server = element('server', HTMLInputElement);
const serverError = element('server-error', HTMLParagraphElement);
const showsSaved = element('shows-saved', HTMLInputElement);
const savesSnapshots = element('saves-snapshots', HTMLInputElement);
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
  const { savesSnapshots: areWanted } = await chrome.storage.local.get('savesSnapshots');
  savesSnapshots.checked = areWanted === true;
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
    return text('settings.continueInTab');
  }
  return known === undefined
    ? text('settings.notConnected')
    : text('settings.connected', { server: known.server, username: known.username });
}

/** @param {string} complaint */
function complain(complaint) {
  serverError.hidden = complaint === '';
  serverError.textContent = complaint;
  server.setAttribute('aria-invalid', String(complaint !== ''));
  if (complaint !== '') {
    server.focus();
  }
}

// Requests the host permission before the first `await`, because browsers reject a permission request after an `await`.
element('connect', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  const address = serverIn(server.value);
  if (address === undefined) {
    complain(text('settings.addressInvalid'));
    return;
  }
  complain('');
  server.value = address;
  const key = element('key', HTMLInputElement).value.trim();
  void chrome.permissions.request(permissionFor(address)).then(async (isAllowed) => {
    if (isAllowed) {
      await ask({ command: 'connect', server: address, key });
    } else {
      complain(text('settings.permissionMissing'));
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

// The setting does not depend on the answer to the permission request. Without the permission, only pictures that the
// page itself can read are in a snapshot.
savesSnapshots.addEventListener('change', () => {
  const areWanted = savesSnapshots.checked;
  const asked = areWanted ? chrome.permissions.request({ origins: ALL_SITES }) : Promise.resolve();
  void asked.then(() => chrome.storage.local.set({ savesSnapshots: areWanted }));
});

chrome.storage.onChanged.addListener(() => void render());
fillTexts();
await render();
